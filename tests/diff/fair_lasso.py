"""Fair counterexamples of the graphs of fair_compare.py, by brute force: is this run a lasso of the graph that
violates the formula and is fair, and how few statements has one? Shares nothing with the program."""
import heapq

MOST = 20000  # nodes with what was seen on the way


class TooLarge(Exception):
    """There are too many ways round."""


def is_violated(case, stem, cycle):
    """By nodes: those before the cycle, and those on it."""
    kind, a, b = case.question
    if kind == 0:
        return a not in stem + cycle
    if kind == 1:
        return a not in cycle
    if kind == 2:
        return set(cycle) != {a}
    run = stem + cycle
    return any(run[i] == a and b not in run[i:] + cycle for i in range(len(run)))


def is_fair(case, nodes, moved):
    """moved: for each step of the cycle the agents that may have been the ones that moved."""
    able = [case.enabled(node) for node in nodes]
    served = set().union(*moved, set())
    return all(agent in served or
               not (any if strength == "strong" else all)(agent in enabled for enabled in able)
               for agent, strength in case.strength.items())


def edges_of(case, step, before, after):
    pids = {step["pid"]} | ({step["partner"]["pid"]} if "partner" in step else set())
    return [agents for (a, b, agents), (owners, _) in zip(case.edges, case.details)
            if (a, b) == (before, after) and set(owners) == pids]


def complaint(case, lasso):
    """What is wrong with a counterexample as `--json` tells it; None: nothing."""
    node, nodes, moves, first = 0, [], [], None
    cycle_start = lasso["cycle_start"]
    at_cycle = None
    for number, step in enumerate(lasso["steps"]):
        if cycle_start == number and first is None:
            at_cycle = len(nodes)
        if first is None:
            first = node
        change = [c for c in step["changes"] if c["name"] == "s"]
        node = change[0]["new"] if change else node
        if step["atomic"]:
            continue
        edges = edges_of(case, step, first, node)
        if not edges:
            return f"step {step['step']} is on no edge"
        nodes.append(first)
        moves.append(set().union(*edges))
        first = None
    if cycle_start is None:
        return None if is_violated(case, nodes, [node]) or case.question[0] == 1 else "it is finite"
    if at_cycle is None:  # the system has stopped
        if any(a == node for a, _, _ in case.edges):
            return "the system has not stopped"
        return None if is_violated(case, nodes, [node]) else "stopped, it satisfies the formula"
    stem, cycle = nodes[:at_cycle], nodes[at_cycle:]
    if node != cycle[0]:
        return "the cycle is not closed"
    if not is_violated(case, stem, cycle):
        return "it satisfies the formula"
    return None if is_fair(case, cycle, moves[at_cycle:]) else "it is not fair"


def depths(case, start, allowed):
    """start: cost of nodes that the search begins with."""
    best, heap = {}, [(cost, node) for node, cost in start.items() if node in allowed]
    heapq.heapify(heap)
    while heap:
        cost, node = heapq.heappop(heap)
        if node in best:
            continue
        best[node] = cost
        for (a, b, _), (_, price) in zip(case.edges, case.details):
            if a == node and b in allowed and b not in best:
                heapq.heappush(heap, (cost + price, b))
    return best


def cheapest_round(case, start, allowed, needs, most):
    """Of a fair cycle within `allowed` from `start` that passes a node of `needs` (None: any)."""
    able = {node: frozenset(case.enabled(node)) for node in allowed}
    agents = frozenset(case.strength)
    heap, seen = [(0, 0, start, frozenset(), frozenset(), frozenset(), False)], set()
    tie = 0
    while heap:
        cost, _, node, moved, blocked, enabled, met = heapq.heappop(heap)
        if cost >= most:
            return None
        if cost and node == start and (needs is None or met) and all(
                x in moved or (x not in enabled if case.strength[x] == "strong" else x in blocked) for x in agents):
            return cost
        here = (node, moved, blocked, enabled, met)
        if here in seen:
            continue
        seen.add(here)
        if len(seen) > MOST:
            raise TooLarge
        for (a, b, who), (_, price) in zip(case.edges, case.details):
            if a == node and b in allowed:
                tie += 1
                heapq.heappush(heap, (cost + price, tie, b, moved | who, blocked | (agents - able[node]),
                                      enabled | able[node], met or (needs is not None and node in needs)))
    return None


def minimum(case):
    """Statements in stem and cycle of a shortest fair lasso that violates the formula; None: there is none.
    May raise TooLarge."""
    kind, a, b = case.question
    everywhere = set(range(case.nodes))
    if kind == 0:
        where = everywhere - {a}
        searches = [(depths(case, {0: 0}, where), where, None)]
    elif kind == 1:
        searches = [(depths(case, {0: 0}, everywhere), everywhere - {a}, None)]
    elif kind == 2:
        searches = [(depths(case, {0: 0}, everywhere), everywhere, everywhere - {a})]
    else:
        any_run = depths(case, {0: 0}, everywhere)
        after = depths(case, {a: any_run[a]}, everywhere - {b}) if a in any_run else {}
        searches = [(any_run, everywhere - {b}, {a}), (after, everywhere - {b}, None)]
    best = None
    for depth, where, needs in searches:
        for node, cost in depth.items():
            if node not in where:
                continue
            most = best - cost if best is not None else 10 ** 6
            stopped = not any(e[0] == node for e in case.edges) and (needs is None or node in needs)
            around = 0 if stopped else cheapest_round(case, node, where, needs, most)
            if around is not None and (best is None or cost + around < best):
                best = cost + around
    return best
