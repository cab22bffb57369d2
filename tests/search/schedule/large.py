"""Programs with many statements."""


def chain(count: int) -> str:
    """Three-point stencils, each of the one before."""
    rest = "{| i==0} || {| i==N-1}"
    equations = ["X0[i] = A[i];"]
    for at in range(1, count):
        before = f"X{at - 1}"
        equations.append(f"X{at}[i] = case {{| 0<i<N-1}}: {before}[i-1] + {before}[i+1]; {rest}: {before}[i]; esac;")
    equations.append(f"B[i] = X{count - 1}[i];")
    return _system("chain", ("N",), "i", "i", count, equations)


def ring(count: int, indices: str) -> str:
    """Stencils with these indices, each of the one before it; the first of the last one, a step ago."""
    equations = [_in_ring(at, count, indices) for at in range(count)]
    point = ",".join(indices)
    equations.append(f"B[{point}] = X{count - 1}[T,{point}];")
    return _system("ring", ("T", "N"), indices, f"t{indices}", count, equations)


def _in_ring(at: int, count: int, indices: str) -> str:
    before, back, when = f"X{(at - 1) % count}", "-1" * (at == 0), "t>0" if at == 0 else "t>=0"
    point = ",".join(indices)
    neighbours = [
        f"{before}[t{back},{','.join(x + step * (x == moved) for x in indices)}]"
        for moved in indices
        for step in ("-1", "+1")
    ]
    faces = [
        f"{{| {' && '.join((when, f'{x}=={end}', *(f'0<{y}<N-1' for y in indices[:number])))}}}"
        for number, x in enumerate(indices)
        for end in ("0", "N-1")
    ]
    inside = " && ".join((when, *(f"0<{x}<N-1" for x in indices)))
    first = f"{{| t==0}} : A[{point}]; " if at == 0 else ""
    cases = f"{first}{{| {inside}}} : {' + '.join(neighbours)}; {' || '.join(faces)} : {before}[t{back},{point}];"
    return f"X{at}[t,{point}] = case {cases} esac;"


def _system(name: str, parameters: tuple[str, ...], outer: str, inner: str, count: int, equations: list[str]) -> str:
    def domain(indices: str) -> str:
        bounds = ("0<=t<=T" if x == "t" else f"0<={x}<N" for x in indices)
        return f"{{{','.join(indices)} | {' && '.join(bounds)}}}"

    names = ", ".join(f"X{at}" for at in range(count))
    return "\n".join(
        (
            f"affine {name} {{{','.join(parameters)} | {' && '.join(f'{p}>2' for p in parameters)}}}",
            f"input double A {domain(outer)};",
            f"output double B {domain(outer)};",
            f"local double {names} {domain(inner)};",
            "let",
            *equations,
            ".",
        )
    )
