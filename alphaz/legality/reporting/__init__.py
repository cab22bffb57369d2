"""Reports of a verdict: findings, mathematics, the record of a certificate."""
