"""Rewriting reductions: what they run over, how they nest, and what they need not do twice."""
