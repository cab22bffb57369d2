"""Faults for `scripts/mutate-verifier`: each makes the checker of C programs, or their reader, see less than there is."""

from tests.verify.mutation import Mutant

# ruff: noqa: E501 - the expressions are what is replaced

ORDER, ASKED, CLAIMS = "verify/c/order.py", "verify/c/questions.py", "verify/c/claims.py"
BOUNDS, RACES, REACHING = "verify/c/bounds.py", "verify/c/races.py", "verify/c/reaching.py"
THREAT, LEMMAS, WITNESS = "verify/c/threat.py", "verify/c/lemmas.py", "verify/c/witness.py"
CASES, ENGINES = "proof/satisfiability.py", "proof/discharge.py"
READERS, SUMS = "verify/c/readers.py", "verify/c/sums.py"
CLOSEST, ORIGINS = "verify/c/closest.py", "verify/c/origins.py"
JOINED = "verify/c/joined.py"
SHARED, PROVING, PRUNING = "verify/c/shared.py", "verify/c/prove.py", "verify/c/pruning.py"
PARTS, PARTED = "verify/c/parts.py", "verify/c/partition.py"
ACTOR, MATCHING, TRACE = "verify/c/actor.py", "verify/c/matching.py", "verify/c/trace.py"
STATEMENTS, WORDS, CELLS = "c_reading/statements.py", "c_reading/indices.py", "c_reading/cells.py"
FUNCTIONS, VALUES, LOOPS = "c_reading/functions.py", "c_reading/values.py", "c_reading/loops.py"
EMITTER, PRAGMAS, CONDITIONS = "c_reading/assignments.py", "c_reading/pragmas.py", "c_reading/condition.py"
TEAM, OTHERS = "c_reading/team.py", "verify/c/others.py"
CALLS, SWAPPING, REWRITING = "c_reading/calls.py", "c_reading/swapping.py", "c_reading/rewriting.py"
TEXT, PHASES, SHORTER, READ = "c_reading/text.py", "c_reading/phases.py", "c_reading/shorter.py", "c_reading/read.py"
KEPT, LAYOUT, PACKED = "c_reading/kept.py", "verify/c/layout.py", "c_reading/packed.py"

_ORDER = (
    Mutant("C order: all loops are sequential", ORDER, "_walk", "here.kind is Kind.SEQUENTIAL", "True"),
    Mutant(
        "C order: lanes are in order", ORDER, "_walk", "here.kind is Kind.SEQUENTIAL", "here.kind is not Kind.PARALLEL"
    ),
    Mutant(
        "C order: the later iteration comes first",
        ORDER,
        "_walk",
        "less(left, right)",
        "less(right, left) if True else 0",
    ),
    Mutant("C order: the text is read upwards", ORDER, "_walk", "here < there", "here > there"),
    Mutant("C order: what stands beside is in order", ORDER, "_walk", "a != b", "False"),
    Mutant("C order: outer iterations do not count", ORDER, "_walk", "(*same, equal(left, right))", "same"),
    Mutant("C order: the caller comes after all", ORDER, "before", "one.is_start or other.is_end", "True"),
    Mutant("C order: nothing is ever late", ORDER, "not_before", "not verdict", "verdict is None"),
    Mutant("C order: nothing is ever unordered", ORDER, "not_before", "not verdict", "verdict is False"),
    Mutant("C order: nothing happens at once", ORDER, "unordered", "verdict is None", "False"),
)
_LEMMAS = (
    Mutant("C lemma: some writer is good", LEMMAS, "Lemmas.all_written", "all(pairs(reader, each).are_none() for each in sources)", "any(pairs(reader, each).are_none() for each in sources)"),
    Mutant("C lemma: nobody needs to write", LEMMAS, "_covers", "part.is_subset(found)", "True"),
    Mutant("C lemma: one part is all", LEMMAS, "_images", "domain.parts()", "list(domain.parts())[:1]"),
    Mutant("C lemma: whoever writes has done so", LEMMAS, "_elsewhere", "not_before(source.who, reader.who)", "()"),
    Mutant("C lemma: whoever writes, in any cell", LEMMAS, "_elsewhere", "_differ(source.cell, reader.cell)", "()"),
    Mutant("C lemma: whoever writes there has done so", LEMMAS, "_afterwards", "not_before(source.who, reader.who)", "()"),
    Mutant("C lemma: sums are in one cell", LEMMAS, "_in_other_cell", "_differ(source.cell, reader.cell)", "()"),
    Mutant("C lemma: what isl is asked about is in the sum", LEMMAS, "Lemmas.all_added", "soon_empty(missing, _MISSING, _PATIENT)", "True"),
    Mutant("C lemma: what is added belongs there", LEMMAS, "_belonging", "domain & Domain.where(domain.space, meets)", "domain"),
    Mutant("C lemma: some instances are all", ACTOR, "Actor.parts", "self.domain is not self.every", "False"),
    Mutant("C lemma: who is within a part is anybody", ACTOR, "actor", "found if domain in (None, statement.domain) else None", "found"),
    Mutant("C lemma: conditions with cases are none", ACTOR, "Actor.parts", "((plain,), *chosen)", "((plain,),)"),
    Mutant("C lemma: conditions without cases are none", ACTOR, "Actor.parts", "((plain,), *chosen)", "chosen"),
    Mutant("C lemma: all claims are of all instances", CLAIMS, "_plain", "every.is_subset(made.domain)", "True"),
    Mutant("C lemma: who reads something reads nothing else", ORIGINS, "Origins.read", "where.is_subset(part)", "True"),
    Mutant("C lemma: nobody is late", THREAT, "Threat._is_late", "not_before(self.reader.who, self.y)", "()"),
    Mutant("C lemma: nobody is early", THREAT, "Threat.early", "not_before(self.y, source.who)", "()"),
    Mutant("C lemma: who has a claim has it everywhere", LEMMAS, "Lemmas._plainly", "not self.inquiry.once('everywhere', (made,), everywhere)", "False"),
    Mutant("C lemma: two cases of three, none equal", CASES, "_Cases.are_empty", "one == other", "one > other"),
    Mutant("C lemma: two cases of three, none greater", CASES, "_Cases.are_empty", "one > other", "one == other"),
    Mutant("C lemma: two cases of three, none less", CASES, "_Cases.are_empty", "one < other", "one == other"),
    Mutant("C lemma: what is not known is empty", CASES, "_Cases.are_empty", "answer == self.z3.unsat", "True"),
    Mutant("C step: what is unseen is nothing", LEMMAS, "_Covering.step", "partial(unseen, self.written, self.wanted)", "partial(unseen, self.written, (self.wanted[0] - self.wanted[0], self.wanted[1]))"),
    Mutant("C step: what is not seen at a glance need not be searched", LEMMAS, "Lemmas._searched", "False", "True"),
    Mutant("C step: of one step what another has", LEMMAS, "Lemmas._stated", "('stated', step.title)", "'stated'"),
    Mutant("C step: who is late is who is early", LEMMAS, "Lemmas._glimpsed", "('glimpsed', step.title)", "'glimpsed'"),
    Mutant("C step: a step is about anything", LEMMAS, "Lemmas._glimpsed", "step.objects", "()"),
    Mutant("C step: searched for one, for all", LEMMAS, "Lemmas._searched", "step.objects", "()"),
    Mutant("C step: covered for one, for all", LEMMAS, "Lemmas._covers", "way.objects", "()"),
    Mutant("C step: what is not known follows", CASES, "_Cases._follows", "self._answered(solver, self.z3.Not(row)) == self.z3.unsat", "self._answered(solver, self.z3.Not(row)) != self.z3.sat"),
    Mutant("C step: what can be follows", CASES, "_Cases._follows", "self.z3.Not(row)", "row"),
    Mutant("C step: the last row holds", CASES, "_Cases.shortened", "self.z3.Not(*each)", "each[0]"),
    Mutant("C step: each row of what is not to hold is not to", CASES, "_Cases.shortened", "self.z3.Not(self.z3.And(*each, self.z3.BoolVal(True, self.context)))", "self.z3.Not(self.z3.Or(*each))"),
    Mutant("C step: what is not plain is empty", CASES, "_Cases._refutes", "self._answered(solver) == self.z3.unsat", "self._answered(solver) != self.z3.sat"),
    Mutant("C step: what is plainly there is not", CASES, "_Cases._refutes", "self.z3.unsat", "self.z3.sat"),
    Mutant("C step: what is not to hold has one row", CASES, "_rows", "list(fact.children())", "list(fact.children())[:1]"),
    Mutant("C lemma: who is told from a value writes anything", WITNESS, "_instances", "same([each.rename(own) for each in point], place)", "[]"),
    Mutant("C lemma: who is told from a value need not exist", WITNESS, "_solved", "tuple(rows)", "()"),
    Mutant("C lemma: who is told from a value may be nobody", WITNESS, "_is_trivial", "row.affine.is_constant and row.holds({})", "row.affine.is_constant"),
    Mutant("C lemma: told from a value, all quotients are one", WITNESS, "_Quotients.of", "len(self.names)", "0"),
    Mutant("C lemma: told from a value, quotients of other numbers", WITNESS, "_Quotients.of", "affine - whole * by", "affine - whole"),
    Mutant("C lemma: told from a value, quotients are one less", WITNESS, "_quotient", "Constraint(rest)", "Constraint(rest - by)"),
    Mutant("C lemma: told from a value, quotients are anything", WITNESS, "_Quotients.definitions", "_quotient(affine, by, name)", "()"),
    Mutant("C lemma: at a glance all is empty", ENGINES, "is_empty", "empty_at_a_glance(stated)", "True"),
    Mutant("C lemma: what z3 does not see is empty", ENGINES, "_by_z3", "return None", "return True"),
    Mutant("C lemma: nobody needs to write close by", CLOSEST, "none_disturbed", "soon_empty(partial(_unwritten, reader, sources), BUDGET) is True", "True"),
    Mutant("C lemma: whoever writes close by has done so", CLOSEST, "_unwritten", "before(source.who, reader.who)", "[()]"),
    Mutant("C lemma: whoever has written, close by or not", CLOSEST, "_unwritten", "[*meets(reader, source), *_close(reader, source)]", "[*meets(reader, source)]"),
    Mutant("C lemma: some are harmless to who writes close by", CLOSEST, "none_disturbed", "all(map(_is_harmless, threats))", "any(map(_is_harmless, threats))"),
    Mutant("C lemma: what isl does not say at a glance is empty", ENGINES, "soon_empty", "return None", "return True"),
    Mutant("C lemma: nobody is between", THREAT, "Threat._parts", "not_before(self.y, self.source.who)", "()"),
)  # fmt: skip
_QUESTIONS = (
    Mutant("C0: no lower bound", BOUNDS, "_too_far", "[less(subscript, Affine())]", "[less(subscript, subscript)]"),
    Mutant("C0: no upper bound", BOUNDS, "_too_far", "[at_least(subscript, bound)]", "[less(subscript, subscript)]"),
    Mutant("C0: what holds no point may be touched", BOUNDS, "_too_far", "held is not None", "False"),
    Mutant("C0: what is on the other side of a diagonal", BOUNDS, "_broken", "constraint.equality", "False"),
    Mutant("C0: one cell more", BOUNDS, "_too_far", "at_least(subscript, bound)", "less(bound, subscript)"),
    Mutant(
        "C0: reads are not asked about",
        BOUNDS,
        "_accesses",
        "(statement.target, *statement.reads)",
        "(statement.target,)",
    ),
    Mutant(
        "C0: targets are not asked about",
        BOUNDS,
        "_accesses",
        "(statement.target, *statement.reads)",
        "statement.reads",
    ),
    Mutant("C0: dividends may be negative", BOUNDS, "bounds", "inquiry.kernel.dividends", "()"),
    Mutant("C6: no statement races with itself", RACES, "races", "statements[at:]", "statements[at + 1:]"),
    Mutant("C6: any lock will do", RACES, "_is_shielded", "lock.name == other.name", "True"),
    Mutant(
        "C6: a lock outside keeps iterations apart", RACES, "_is_shielded", "at < min(lock.depth, other.depth)", "True"
    ),
    Mutant("C6: atomic protects all that is read", RACES, "_is_shielded", "is_cell or not lock.is_atomic", "True"),
    Mutant("C6: accumulators of any loop", RACES, "_is_shielded", "own is left.date[at]", "True"),
    Mutant(
        "C6: reads race with nothing",
        RACES,
        "_conflicts",
        "[(target, read) for read in enumerate(right.reads, 1)]",
        "[]",
    ),
    Mutant(
        "C6: nobody reads what another writes",
        RACES,
        "_conflicts",
        "a.array is b.array and title not in seen",
        "a.array is b.array and a.span is b.span",
    ),
    Mutant("C1: outputs need nothing", ASKED, "questions", "list(outputs_of(inquiry))", "[]"),
    Mutant(
        "C1: what claims need is not asked",
        ASKED,
        "questions",
        "source.origin is not None and id(source.origin) not in done",
        "False",
    ),
    Mutant(
        "C1: any cell",
        READERS,
        "meets",
        "[*same(source.point, reader.point), *same(source.cell, reader.cell)]",
        "same(source.point, reader.point)",
    ),
    Mutant(
        "C1: any value",
        READERS,
        "meets",
        "[*same(source.point, reader.point), *same(source.cell, reader.cell)]",
        "same(source.cell, reader.cell)",
    ),
    Mutant("C1: at any time", READERS, "earlier", "before(source.who, reader.who)", "((),)"),
    Mutant(
        "C1: any array",
        READERS,
        "sources_of",
        "each.key == reader.key and each.statement.target.array is reader.array",
        "each.key == reader.key and len(each.statement.target.subscripts) == len(reader.cell)",
    ),
    Mutant(
        "C1: an input is in every array",
        READERS,
        "sources_of",
        "variable == reader.key and array == reader.array.name",
        "variable == reader.key",
    ),
    Mutant("C1: values outside of their domains exist", READERS, "_nowhere", "not rest.is_empty()", "False"),
    Mutant("C4: nothing is overwritten", REACHING, "_lost", "not found.is_empty()", "False"),
    Mutant(
        "C4: every reader has another writer",
        REACHING,
        "_lost",
        "earlier(reader, source) - lost[id(source)]",
        "earlier(reader, source)",
    ),
    Mutant(
        "C4: whoever comes before the reader is harmless",
        THREAT,
        "Threat.found",
        "not_before(self.y, self.source.who)",
        "not_before(self.source.who, self.y)",
    ),
    Mutant(
        "C4: whoever comes after the reader, only",
        THREAT,
        "Threat._others",
        "not_before(who, y)",
        "before(who, y)",
    ),
    Mutant(
        "C4: claims of any value are excused",
        THREAT,
        "Threat._same_value",
        "same(self.y.own(each.origin.point), point)",
        "[]",
    ),
    Mutant("C4: the writer is each who writes", THREAT, "Threat.found", "Domain.where(space, itself)", "found"),
    Mutant("C sums, R1: no part is missing", SUMS, "_items", "share.number == number", "True"),
    Mutant("C sums, R1: nothing is asked of the parts", SUMS, "of_sum_reader", "_items(parts)", "()"),
    Mutant("C sums, R1: only the first branch is a sum", SUMS, "_items", "sums.values()", "[*sums.values()][:1]"),
    Mutant("C sums, R1: parts for other results", SUMS, "_combined", "[*meets(reader, source), *is_it]", "is_it"),
    Mutant("C sums, R1: twice is once", SUMS, "_twice", "left.sum.operator in IDEMPOTENT", "True"),
    Mutant(
        "C sums, R1: an instance adds as often as it likes",
        SUMS,
        "_both",
        "is_same and itself is not None",
        "itself is not None",
    ),
    Mutant("C sums, R2: sums may be started late", SUMS, "_added_before", "not_before(x, y)", "()"),
    Mutant(
        "C sums, R2: started after is started before", SUMS, "_added_before", "not_before(x, y)", "not_before(y, x)"
    ),
    Mutant("C sums, R3: read at any time", SUMS, "_too_early", "not_before(source.who, reader.who)", "()"),
    Mutant(
        "C sums, R3: the reader comes first",
        SUMS,
        "_too_early",
        "not_before(source.who, reader.who)",
        "not_before(reader.who, source.who)",
    ),
    Mutant(
        "C sums, R4: started again",
        SUMS,
        "_started_twice",
        "_epoch(x, left, y, right)",
        "[*_epoch(x, left, y, right), less(Affine(), Affine())]",
    ),
    Mutant(
        "C claims: what an instance adds is said twice",
        CLAIMS,
        "Claims.apart",
        "each.domain - taken[title] if title in taken else each.domain",
        "each.domain",
    ),
    Mutant(
        "C actors: the same component by component, but the first",
        ACTOR,
        "same",
        "zip(left, right, strict=True)",
        "list(zip(left, right, strict=True))[1:]",
    ),
)
_PARTS = (
    Mutant("C parts: what is in two sums is not asked", PARTED, "in_one_part", "left.key == right.key", "False"),
    Mutant("C parts: two statements never sum up the same", PARTED, "in_one_part", "parts[at:]", "parts[at:at + 1]"),
    Mutant("C parts: one statement never sums up twice", PARTED, "in_one_part", "parts[at:]", "parts[at + 1:]"),
    Mutant("C parts: a part is every other", PARTED, "_in_two", "Domain.where(space, _equal(x, y))", "found"),
    Mutant("C parts: sums lose what is in no part", PARTS, "_in_parts", "left.is_empty()", "bool(parts)"),
    Mutant("C parts: parts are of any sum", PARTS, "_value", "part.members[at, number]", "item.region.domain.embedded(part.members[at, number].space) & part.domain.embedded(part.members[at, number].space)"),
    Mutant("C parts: what is subtracted is added", PARTS, "_in_parts", "each.sign", "1"),
    Mutant("C parts: what parts subtract they add", PARTS, "_value", "item.sign * part.sign", "1"),
    Mutant("C4: nobody else is there", THREAT, "Threat.found", "others.is_empty()", "True"),
    Mutant("C joined: whoever meets somebody meets nobody", JOINED, "_joined", "found.is_empty()", "True"),
    Mutant("C joined: what is said twice is a contradiction", JOINED, "_solved", "affine.is_constant and affine.constant", "affine.is_constant"),
    Mutant("C joined: the last case is all there is", JOINED, "joined", "found | more", "more"),
    Mutant("C joined: the first case is all there is", JOINED, "joined", "found | more", "found"),
    Mutant("C joined: a name has its value with the other sign", JOINED, "_solved", "-affine.coefficient(name)", "affine.coefficient(name)"),
)  # fmt: skip
_MEMORY = (
    Mutant(
        "C memory: anything may be released",
        "c_reading/statements.py",
        "Maker.free",
        "meaning.array.name in self.allocated",
        "not meaning.array.is_argument",
    ),
)
_TREES = (
    Mutant(
        "C2: operators are all alike",
        MATCHING,
        "Matching.match",
        "operator != other or len(operands) != len(terms) or type_ != wanted",
        "len(operands) != len(terms)",
    ),
    Mutant(
        "C2: types are all alike",
        MATCHING,
        "Matching.match",
        "operator != other or len(operands) != len(terms) or type_ != wanted",
        "operator != other or len(operands) != len(terms)",
    ),
    Mutant("C2: constants are all alike", MATCHING, "Matching.match", "a == b", "True"),
    Mutant("C2: indices are all alike", MATCHING, "_where_equal", "[equal(left, right)]", "[]"),
    Mutant(
        "C2: a - b is b - a",
        MATCHING,
        "Matching._operands",
        "operator not in COMMUTATIVE or len(terms) != 2 or self.is_exact",
        "len(terms) != 2",
    ),
    Mutant("C2: parts outside of the body", MATCHING, "item_ways", "Domain.where(where.space, meets)", "where"),
    Mutant(
        "C2: a sum of another type",
        MATCHING,
        "sum_types_agree",
        "statement.target.array.type == value.type and _types_agree(statement.value, operator, value)",
        "True",
    ),
    Mutant(
        "C2: what is negated is added",
        MATCHING,
        "_combined",
        "_combined(only, operator, -sign)",
        "_combined(only, operator, sign)",
    ),
    Mutant("C2: INT_MAX is an identity", TRACE, "_is_extreme", "type_.kind != 'int'", "True"),
)
_READER = (
    Mutant("C reads: dividends are not kept", WORDS, "_binary", "words.divided.append(Divided(inside.iterators, inside.conditions, left, words.span(node)))", "None"),
    Mutant("C reads: unsigned numbers do not wrap around", WORDS, "stays_positive", "not _is_positive(value)", "False"),
    Mutant("C reads: unsigned differences are signed", WORDS, "_binary", "is_wrapping", "False"),
    Mutant("C reads: what is converted to unsigned is positive", WORDS, "_are_unsigned", "any(found) and (not is_one) and (not is_mask)", "False"),
    Mutant("C reads: unsigned loops end below 0", LOOPS, "loop_head", "step < 0 and (not type_.signed)", "False"),
    Mutant("C reads: data takes unsigned numbers as they are", VALUES, "_index", "not is_converted and is_unsigned(reading.words, nest, node)", "False"),
    Mutant("C reads: numbers are pointers", WORDS, "_is_pointer", "isinstance(meaning, View) and bool(meaning.extents)", "isinstance(meaning, View)"),
    Mutant("C reads: any mask is one of the last bits", WORDS, "_binary", "-mask & -mask - 1", "0"),
    Mutant("C reads: who waits for nobody is in order", PHASES, "is_left_early", "return is_loose", "return False"),
    Mutant("C reads: the first thread is waited for", SHORTER, "has_nowait", "'master' in each.string", "False"),
    Mutant("C reads: what one thread has is shared", STATEMENTS, "Maker.directed", "pragma.private or pragma.copied", "False"),
    Mutant("C reads: copies do not change", STATEMENTS, "Maker._private", "name in self.words.changed", "False"),
    Mutant("C reads: pointers swap in order", SWAPPING, "_swapped", "(into, last, from_) == (one, other, spare)", "(last, from_) == (other, spare)"),
    Mutant("C reads: continue is nothing", REWRITING, "_going_on", "c_ast.UnaryOp('!', each.cond, each.coord)", "each.cond"),
    Mutant("C reads: parameters may be chars", READ, "_argument", "node.name in words.changed or type_.kind != 'int' or type_.bits < 32", "False"),
    Mutant("C reads: volatile is nothing", FUNCTIONS, "scalar_type", "{'volatile', '_Atomic'} & {*(node.quals or [])}", "False"),
    Mutant("C reads: steps change nothing", FUNCTIONS, "changes", "bool(nodes(tree, c_ast.Assignment)) or any(steps)", "bool(nodes(tree, c_ast.Assignment))"),
    Mutant("C reads: conversions change nothing", VALUES, "converted", "value.type == wanted", "True"),
    Mutant("C reads: pointers of any rows", CELLS, "_shaped", "extents[1:] == pointer.extents[1:] and pointer.extents", "pointer.extents"),
    Mutant("C reads: locals outlive their block", EMITTER, "Emitter.emit", "cell.array.name in self.released", "False"),
    Mutant("C reads: every thread is one thread", EMITTER, "Emitter.emit", "is_every and not self._is_of_each_thread(pointer, value, reading, nest)", "False"),
    Mutant("C reads: accumulators may be used", EMITTER, "Emitter._reduction", "not is_one or not _combines(value, used[0], operator)", "False"),
    Mutant("C reads: loops may turn", LOOPS, "_check_end", "grows > 0 or (grows and each.equality)", "False"),
    Mutant("C reads: strides are 1", LOOPS, "loop_head", "abs(step) != 1", "False"),
    Mutant("C reads: regions in regions", STATEMENTS, "Maker.directed", "'parallel' in words and nest.region and (not nest.working)", "False"),
    Mutant("C reads: nowait in functions", STATEMENTS, "Maker.directed", "pragma.nowait and nest.depth > nest.region_depth", "False"),
    Mutant("C reads: nowait waits", PHASES, "Phases.over", "is_merge or (pragma is not None and pragma.nowait) or has_nowait(item)", "is_merge"),
    Mutant("C reads: clauses that are not known", PRAGMAS, "_with_clauses", "name not in _FREE or _EFFECT.search(inside)", "False"),
    Mutant("C reads: or is and", CONDITIONS, "either", "(*left, *right)", "left"),
    Mutant("C reads: below is at most", CONDITIONS, "comparison", "1 if symbol == '>' else 0", "0"),
    Mutant("C reads: vectors are aligned by themselves", TEXT, "_as_structure", "size is None or known is None or not is_free or int(size[1]) % known", "size is None or known is None"),
    Mutant("C reads: buffers of threads keep their values", STATEMENTS, "Maker._of_this_thread", "replace(array, name=self.array_name(array.label), prefix=inside.iterators, is_stale=True)", "array"),
    Mutant("C reads: whatever prints only prints", SHORTER, "only_reports", "not changes(definition.body)", "True"),
)  # fmt: skip
_KEPT = (
    Mutant("C kept: perhaps no step is taken", KEPT, "_is_alone", "_is_taken(kept, writers)", "True"),
    Mutant("C kept: another step changes the cell", KEPT, "_is_alone", "all((_is_apart(each, kept) for each in kept.steps))", "True"),
    Mutant("C kept: what a step reads is no matter", KEPT, "_is_apart", "(step.target, *step.reads)", "(step.target,)"),
    Mutant("C kept: two accesses are of two cells", KEPT, "_are_two", "(where & Domain.where(where.space, [equal(a, b) for a, b in pairs])).is_empty()", "True"),
    Mutant("C kept: one cell is two", KEPT, "_are_two", "(a - b).is_constant and (a - b).constant", "(a - b).is_constant"),
    Mutant("C kept: steps are in a lock", KEPT, "_is_in_order", "statement.write.mutex is None", "True"),
    Mutant("C kept: what is in the cell does not count", KEPT, "_is_alone", "all((any((read.same_cell(kept.local) for read in each.reads)) for each in writers))", "True"),
    Mutant("C kept: others look at the number", KEPT, "_is_alone", "all((id(each) in known for each in kernel.statements if _accesses(each, kept)))", "True"),
    Mutant("C kept: steps are in no order", KEPT, "_is_in_order", "each.kind is Kind.SEQUENTIAL", "True"),
    Mutant("C kept: it is stored in a lock", KEPT, "_is_plain", "statement.write.mutex is None", "True"),
    Mutant("C kept: it is stored anywhere", KEPT, "_is_stored", "last.target.same_cell(first.reads[0])", "True"),
    Mutant("C kept: anything is stored", KEPT, "_is_stored", "last.reads[0].same_cell(first.target)", "True"),
    Mutant("C kept: one number is everybody's", KEPT, "_is_loaded", "{*local.array.prefix} == {*statement.iterators}", "True"),
    Mutant("C kept: steps go on behind the store", KEPT, "_between", "low < at < high", "low < at"),
    Mutant("C kept: a step of one is a step of all", KEPT, "_is_taken", "kept.first.domain.is_subset(taken)", "not taken.is_empty()"),
    Mutant("C kept: all that a step reads is in the cell", KEPT, "_moved", "access.same_cell(kept.local)", "True"),
)  # fmt: skip
_LAYOUT = (
    Mutant("C formats: nobody says how it lies", LAYOUT, "place_of", "layout is not None", "False"),
    Mutant("C formats: cells of no element may be touched", LAYOUT, "_held", "tuple(pieces[0].constraints)", "()"),
    Mutant("C formats: boxes begin at 0", LAYOUT, "place_of", "Affine.name(index(at)) - low", "Affine.name(index(at))"),
    Mutant("C formats: boxes are one short", LAYOUT, "place_of", "high - low + 1", "high - low"),
    Mutant("C formats: nothing is packed", LAYOUT, "place_of", "is_affine", "True"),
    Mutant("C formats: any point with that position", PACKED, "point_at", "_is_held(array, point, domain)", "True"),
    Mutant("C formats: halves are never rounded", "c_reading/number.py", "is_integer", "value.at(dict(zip(value.names, each, strict=True))).denominator == 1", "True"),
    Mutant("C formats: what is below is above", LAYOUT, "affine_of", "affine_of(left) - affine_of(right)", "affine_of(left) + affine_of(right)"),
)  # fmt: skip

_TEAM = (
    Mutant("C team: lanes have arrays of their own", STATEMENTS, "Maker.loop", "'simd' not in pragma.words", "True"),
    Mutant("C team: one iterator is one for each thread", STATEMENTS, "Maker.loop", "isinstance(known, Unset) and known.is_shared and head.is_outer and (not is_for)", "False"),
    Mutant("C reads: a loop goes on wherever", LOOPS, "_continued", "nest.date[:-1] != before.date[:-1] or nest.region", "False"),
    Mutant("C reads: a loop goes on whatever comes", STATEMENTS, "_not_ended", "name in names and each.ended and each.ended[0] is not item", "False"),
    Mutant("C reads: functions change nothing", CALLS, "Caller._only_returns", "not self.changes_more(definition)", "True"),
    Mutant("C team: two names are two arrays", STATEMENTS, "Maker._of_this_thread", "array.name not in owned", "True"),
    Mutant("C team: merging is over when the next begins", PHASES, "Phases.over", "is_merge", "False"),
    Mutant("C team: started at any time", TEAM, "_check", "place[id(each)] > min(first, place[id(merges[0])])", "False"),
    Mutant("C team: merged at any time", TEAM, "_check", "place[id(each)] < last", "False"),
    Mutant("C team: round and round", TEAM, "_check", "each.is_repeated", "False"),
    Mutant("C team: nobody is without iterations", EMITTER, "Emitter.join", "self.collected.append(each)", "None"),
    Mutant("C team: nothing is found", OTHERS, "found_before", "changed.get(id(each), each)", "each"),
    Mutant("C team: everybody is the first", OTHERS, "with_unknown", "_with(value, each, _unknown_key(each))", "value"),
    Mutant("C team: what is found goes with any sign", OTHERS, "_item", "merge.sign", "-merge.sign"),
)  # fmt: skip

_SHARED = (
    Mutant("C shared: one process tells of what it alone has", SHARED, "_Common._found", "all(place in self.objects for place in key[1:])", "True"),
    Mutant("C shared: whatever is found out is true", SHARED, "_Common.learn", "(tuple(map(self.objects.__getitem__, key[1:])), answer)", "(tuple(map(self.objects.__getitem__, key[1:])), True)"),
    Mutant("C shared: who dies has proved it", PROVING, "_shared", "Undecided(reason)", "Proved()"),
    Mutant("C shared: answers as they come", PROVING, "_shared", "[answers[task] for task in range(len(asked))]", "[*answers.values()]"),
    Mutant("C shared: nothing is claimed in vain", PRUNING, "_whole", "{id(claims[task]) for task, is_whole in found if is_whole}", "{id(claims[task]) for task, is_whole in found}"),
)  # fmt: skip

FAULTS = (*_ORDER, *_LEMMAS, *_QUESTIONS, *_PARTS, *_MEMORY, *_TREES, *_READER, *_KEPT, *_LAYOUT, *_TEAM, *_SHARED)
