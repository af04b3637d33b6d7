"""Arc-hybrid and its dynamic oracle in plain Python. Use it with `gardenpath --code arc_hybrid_python.py ...`."""

import gardenpath as gp


class ArcHybrid(gp.systems.PythonSystem):
    """Arc-hybrid (Kuhlmann, Gómez-Rodríguez and Satta, ACL 2011), in plain Python.

        SHIFT          (σ, b|β, A)     ->  (σ|b, β, A)
        LEFT-ARC(l)    (σ|s, b|β, A)   ->  (σ, b|β, A + b -l-> s)     s is not ROOT
        RIGHT-ARC(l)   (σ|t|s, β, A)   ->  (σ|t, β, A + t -l-> s)     single-root mode: if t = ROOT then β is empty

    Starts with ROOT on the stack and the words in the buffer; ends with ROOT alone on the stack and an empty buffer.
    """

    name = "arc-hybrid-python"
    transitions = {"shift": None, "left-arc": ("N0", "S0"), "right-arc": ("S1", "S0")}
    has_root_mode = True
    dependents_leave = True

    def initial(self, n):
        return self.configuration(n, stack=[0], buffer=range(1, n + 1))

    def valid(self, c):
        stack, buffer = c.stack, c.buffer
        valid = {
            "shift": buffer,
            "left-arc": buffer and stack[-1] != 0,
            "right-arc": len(stack) >= 2 and not (self.single_root and stack[-2] == 0 and buffer),
        }
        return [transition for transition, condition in valid.items() if condition]

    def apply(self, c, transition, label=None):
        if transition == "shift":
            c.stack, c.buffer = c.stack + c.buffer[:1], c.buffer[1:]
        else:
            c.add_arc(*self.arc(c, transition), label)
            c.stack = c.stack[:-1]

    def is_final(self, c):
        return c.stack == [0] and not c.buffer

    def max_transitions(self, n):
        return 2 * n


class ArcHybridOracle(gp.oracles.PythonOracle):
    """Exact costs of arc-hybrid (Goldberg and Nivre, TACL 2013)."""

    def costs(self, c, gold):
        stack, buffer = c.stack, c.buffer
        heads = dict(enumerate(gold, 1))
        costs = {}
        for transition in self.system.valid(c):
            if transition == "shift":
                # b goes onto the stack: of the words there only s can become its head, and none its dependent.
                b = buffer[0]
                costs[transition] = (heads[b] in stack[:-1]) + sum(heads.get(word) == b for word in stack)
                continue
            # s leaves with its arc: its dependents in the buffer are lost, and the gold head that it could still get.
            s, reachable = stack[-1], {*buffer, *stack[-2:-1]}
            head, _ = self.system.arc(c, transition)
            costs[transition] = (heads[s] in reachable - {head}) + sum(heads[word] == s for word in buffer)
        return costs


gp.systems.register(ArcHybrid)
gp.oracles.register(ArcHybrid.name, ArcHybridOracle)
