"""Every JSON report of gyre against docs/gyre.schema.json: `report(text)` and `lines(text)` give what
was parsed, or raise what is wrong with it.

The published schema lets names be added. Here nothing may be there that it does not know, unless it
says so: what a report holds is documented, or the test fails."""
import copy
import json
import os

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BY_REPORT = {"stats": "state_space"}
MANY = 60  # items of a list that are looked at: the first ones and the last


def strict(schema):
    if isinstance(schema, dict):
        if "properties" in schema and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            strict(value)
    elif isinstance(schema, list):
        for value in schema:
            strict(value)
    return schema


with open(os.path.join(ROOT, "docs/gyre.schema.json"), encoding="utf-8") as text:
    SCHEMA = json.load(text)
jsonschema.Draft202012Validator.check_schema(SCHEMA)
STRICT = strict(copy.deepcopy(SCHEMA))
VALIDATORS = {}


def validator(name):
    if name not in VALIDATORS:
        VALIDATORS[name] = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": STRICT["$defs"]})
    return VALIDATORS[name]


def kind_of(value):
    if "event" in value and "name" not in value:
        return "event"
    if "reply" in value:
        return "reply"
    if "report" in value:
        return BY_REPORT.get(value["report"], value["report"])
    return "simulation_end" if "seed" in value else "step"


def shortened(value):
    """Long lists hold the same kind of thing again and again: enough of them is enough."""
    if isinstance(value, list):
        value = value if len(value) <= MANY else value[:MANY // 2] + value[-MANY // 2:]
        return [shortened(v) for v in value]
    if isinstance(value, dict):
        return {k: shortened(v) for k, v in value.items()}
    return value


def validate(value):
    kind = kind_of(value)
    if kind not in STRICT["$defs"]:
        raise ValueError(f"the schema knows no report `{kind}`")
    problem = jsonschema.exceptions.best_match(validator(kind).iter_errors(shortened(value)))
    if problem:
        where = "/".join(map(str, problem.absolute_path))
        raise ValueError(f"not by the schema of `{kind}`, at /{where}: {problem.message[:500]}")
    return value


def report(text):
    return validate(json.loads(text))


def lines(text):
    return [report(line) for line in text.splitlines()]
