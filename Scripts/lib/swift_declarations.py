"""Finds the bodies of functions and the stored properties in Swift sources."""

import dataclasses
import re

from check_shape import without_text

TYPES = ("class", "struct", "actor", "enum", "protocol", "extension")
FUNCTIONS = ("func", "init", "deinit")
PROPERTIES = ("var", "let", "subscript")
# A line that begins a declaration: its attributes and modifiers, its kind and the rest of the line.
DECLARATION = re.compile(
    r"^[ \t]*(?P<modifiers>(?:@\w+(?:\([^)\n]*\))?\s+|[a-z]\w*(?:\([\w ,]+\))?[ \t]+)*?)"
    r"(?P<kind>class(?![ \t]+(?:func|var|let|subscript)\b)|struct|actor|enum|protocol|extension|func|deinit|var|let|case"
    r"|typealias|associatedtype|init(?=[?!]?\s*[(<])|subscript(?=\s*[(<]))\b(?P<rest>[^\n]*)", re.M)
NAME = re.compile(r"[ \t]*`?(\w+(?:\.\w+)*)")
# The kinds of accessors of a property that is stored, and of others.
OBSERVERS = ("willSet", "didSet")
ACCESSOR = re.compile(r"\b(willSet|didSet|get|set|_read|_modify|read|modify|unsafeAddress|unsafeMutableAddress|init)\b")
FIRST_ACCESSOR = re.compile(
    r"\s*(?:@\w+\s+|(?:mutating|nonmutating|borrowing|consuming)\s+)*" + ACCESSOR.pattern
    + r"\s*(?:\(\s*\w+\s*\)\s*)?(?:async\s*)?(?:throws\s*(?:\(\w+\)\s*)?)?\{")
ASSIGNMENT = re.compile(r"(?<![=!<>])=(?!=)")
PRIVATE = re.compile(r"\b(?:file)?private\b(?!\()")
PRIVATE_SETTER = re.compile(r"\b(?:file)?private\(set\)")
PROPERTY_NAME = re.compile(r"\s*`?(\w+)`?\s*(?:[:=]|$)")


@dataclasses.dataclass(frozen=True)
class StoredProperty:
    """A stored property of a type. `text` is its declaration after `var` or `let`."""

    owner: str
    owner_kind: str
    name: str
    text: str
    is_variable: bool
    # Other files can neither see it nor its type.
    is_private: bool
    # Only its own file can change it.
    has_private_setter: bool


@dataclasses.dataclass
class Scope:
    """A pair of braces. Its text has markers in place of the scopes inside."""

    kind: str
    name: str = ""
    is_private: bool = False
    text: list = dataclasses.field(default_factory=list)
    parentheses: int = 0

    def header(self) -> str:
        """Returns the text since the last brace or semicolon."""
        found = []
        for part in reversed(self.text):
            if part.startswith("{") or part == ";":
                break
            found.append(part)
        return "".join(reversed(found))


class Declarations:
    """What a source file declares: the number of bodies of functions, initializers and accessors, and the stored properties."""

    def __init__(self, source: str):
        self.functions = 0
        self.properties = []
        self.scan(without_text(source))

    def scan(self, code: str) -> None:
        scopes = [Scope("file")]
        for match in re.finditer(r"[{}()\[\];]|[^{}()\[\];]+", code):
            text, scope = match[0], scopes[-1]
            if text == "{":
                scopes.append(self.opened(scopes, code[match.end() : match.end() + 200]))
                continue
            if text == "}" and len(scopes) > 1:
                self.close(scopes.pop(), scopes)
                continue
            scope.parentheses += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text, 0)
            scope.text.append(text)

    def opened(self, scopes: list, following: str) -> Scope:
        """Returns the scope that begins with a brace, and counts it if it is the body of a function."""
        outer, inside = scopes[-1], scopes[-1].kind
        header = outer.header()
        kind, name, is_private = "code", outer.name, outer.is_private
        if outer.parentheses > 0:
            return Scope(kind, name, is_private)
        if inside == "accessors":
            if ACCESSOR.search(header):
                kind = "function"
        elif declared := last(DECLARATION, header):
            rest = header[declared.start("rest") :]
            if declared["kind"] in FUNCTIONS:
                kind = "function"
            elif declared["kind"] in TYPES:
                kind, name = declared["kind"], qualified(outer, NAME.match(rest))
                is_private |= bool(PRIVATE.search(declared["modifiers"]))
            elif declared["kind"] in PROPERTIES and inside in (*TYPES, "file"):
                is_assigned = declared["kind"] != "subscript" and bool(ASSIGNMENT.search(rest))
                # The accessors of a requirement have no bodies.
                kind = "accessors" if inside == "protocol" else kind_of_property(is_assigned, following)
        if kind in ("function", "computed"):
            self.functions += 1
        return Scope(kind, name, is_private)

    def close(self, scope: Scope, scopes: list) -> None:
        """Adds a scope's properties, and its marker to the text around it."""
        if scope.kind in TYPES:
            self.properties += stored_properties(scope)
        marker = scope.kind
        if marker == "accessors" and not any(word in "".join(scope.text) for word in OBSERVERS):
            marker = "computed"
        # An argument, such as a closure by default, does not end the declaration.
        scopes[-1].text.append("_" if scopes[-1].parentheses > 0 else f"{{{marker}}}")


def last(pattern: re.Pattern, text: str):
    """Returns the last match, or None."""
    found = None
    for found in pattern.finditer(text):
        pass
    return found


def qualified(outer: Scope, name) -> str:
    """Returns the name of a type with the names of those around it."""
    own = name[1] if name else "?"
    return f"{outer.name}.{own}" if outer.name else own


def kind_of_property(is_assigned: bool, following: str) -> str:
    """Returns what the braces after a property contain: accessors, its only getter, or a part of its initial value."""
    first = FIRST_ACCESSOR.match(following)
    if is_assigned:
        return "accessors" if first and first[1] in OBSERVERS else "code"
    return "accessors" if first else "computed"


def stored_properties(scope: Scope) -> list:
    """Returns the stored properties of a type."""
    if scope.kind == "protocol":
        return []
    found, text = [], "".join(scope.text)
    declarations = list(DECLARATION.finditer(text))
    ends = [declaration.start() for declaration in declarations[1:]] + [len(text)]
    for declaration, end in zip(declarations, ends):
        declared = text[declaration.start("rest") : end].strip()
        if declaration["kind"] not in ("var", "let") or "{computed}" in declared:
            continue
        modifiers = declaration["modifiers"]
        found += [
            StoredProperty(
                scope.name, scope.kind, name, declared, declaration["kind"] == "var",
                scope.is_private or bool(PRIVATE.search(modifiers)), bool(PRIVATE_SETTER.search(modifiers)))
            for name in names(declared)]
    return found


def names(declared: str) -> list:
    """Returns the names of the properties in one declaration."""
    parts, depth = [""], 0
    for character in declared.replace("->", "  "):
        depth += 1 if character in "([<{" else -1 if character in ")]>}" else 0
        if character == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [match[1] for part in parts if (match := PROPERTY_NAME.match(part))]
