"""What generators of random models share: values and names by a seed."""


class Values:
    """Draws from self.random, a random.Random; self.count and self.names start empty."""

    def chance(self, p):
        return self.random.random() < p

    def number(self, low=-1.0, high=1.0):
        return f"{self.random.uniform(low, high):.4g}"

    def vector(self, n, low=-1.0, high=1.0):
        return " ".join(self.number(low, high) for _ in range(n))

    def pick(self, *values):
        return self.random.choice(values)

    def name(self, kind):
        self.count += 1
        name = f"{kind}{self.count}"
        self.names.setdefault(kind, []).append(name)
        return f' name="{name}"'
