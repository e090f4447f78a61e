"""The smallest model with a property: elements, attributes and numbers are taken away while it stays."""

import xml.etree.ElementTree as ElementTree


def _text(root):
    return ElementTree.tostring(root, encoding="unicode")


def _removals(root):
    """Smaller models, the boldest first: without an element, with its children in its place, without an attribute."""
    parents = [(parent, index) for parent in root.iter() for index in range(len(parent))]
    for parent, index in sorted(parents, key=lambda p: -len(list(p[0][p[1]].iter()))):
        child = parent[index]
        parent.remove(child)
        yield _text(root)
        if len(child):
            for k, grandchild in enumerate(child):
                parent.insert(index + k, grandchild)
            yield _text(root)
            for grandchild in child:
                parent.remove(grandchild)
        parent.insert(index, child)
    for element in list(root.iter()):
        for name, value in list(element.attrib.items()):
            del element.attrib[name]
            yield _text(root)
            element.attrib[name] = value


def minimise(xml, holds, most=2000):
    """A model with the property holds(xml) from which nothing can be taken; at most so many are tried."""
    assert holds(xml)
    tried = 0
    smaller = True
    while smaller and tried < most:
        smaller = False
        for candidate in _removals(ElementTree.fromstring(xml)):
            tried += 1
            if holds(candidate):
                xml, smaller = candidate, True
                break
            if tried >= most:
                break
    root = ElementTree.fromstring(xml)
    ElementTree.indent(root)
    return _text(root)
