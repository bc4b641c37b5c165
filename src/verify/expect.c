#include "verify/expect.h"

#include <string.h>

// "NAME=VERDICT" or "VERDICT": where the verdict begins. *name_bytes is 0 for the whole.
static const char *verdict_in(const char *text, size_t *name_bytes)
{
    const char *equals = strrchr(text, '=');
    *name_bytes = equals ? (size_t)(equals - text) : 0;
    return equals ? equals + 1 : text;
}

static bool is_verdict(const char *word)
{
    return !strcmp(word, "holds") || !strcmp(word, "violated") || !strcmp(word, "inconclusive");
}

static bool is_property(const gy_properties *properties, const char *name, size_t bytes)
{
    for (size_t i = 0; i < properties->list.n; i++)
        if (strlen(properties->list.at[i].name) == bytes &&
            memcmp(properties->list.at[i].name, name, bytes) == 0)
            return true;
    return false;
}

static bool refuse_name(const gy_properties *properties, const char *text, size_t bytes,
                        gy_user_error *complaint)
{
    gy_text names = {0};
    for (size_t i = 0; i < properties->list.n; i++)
        gy_text_printf(&names, "%s%s", i ? ", " : "", properties->list.at[i].name);
    gy_refuse(complaint, "--expect %s: no property `%.*s` is checked (there %s: %s)", text,
              (int)bytes, text, properties->list.n == 1 ? "is" : "are",
              properties->list.n ? gy_text_str(&names) : "none");
    gy_text_free(&names);
    return false;
}

static bool are_of_the_same(const char *a, const char *b)
{
    size_t of_a, of_b;
    verdict_in(a, &of_a);
    verdict_in(b, &of_b);
    return of_a == of_b && memcmp(a, b, of_a) == 0;
}

bool gy_expectations_check(const gy_verification *driver, gy_user_error *complaint)
{
    const gy_strings *list = &driver->request->expectations;
    for (size_t i = 0; i < list->n; i++) {
        size_t bytes;
        const char *text = list->at[i], *verdict = verdict_in(text, &bytes);
        if (!is_verdict(verdict))
            return gy_refuse(complaint,
                             "--expect %s: `%s` is not a verdict (holds, violated or inconclusive)",
                             text, verdict);
        if ((bytes || *text == '=') && !is_property(&driver->properties, text, bytes))
            return refuse_name(&driver->properties, text, bytes, complaint);
        for (size_t k = 0; k < i; k++)
            if (are_of_the_same(list->at[k], text))
                return gy_refuse(complaint, "--expect %s and --expect %s cannot be combined",
                                 list->at[k], text);
    }
    return true;
}

// What is expected of a property, or NULL.
static const char *expected_of(const gy_strings *list, const char *name)
{
    const char *otherwise = "holds";
    for (size_t i = 0; i < list->n; i++) {
        size_t bytes;
        const char *verdict = verdict_in(list->at[i], &bytes);
        if (bytes == 0)
            otherwise = NULL;
        else if (strlen(name) == bytes && memcmp(name, list->at[i], bytes) == 0)
            return verdict;
    }
    return otherwise;
}

static const char *expected_of_all(const gy_strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strchr(list->at[i], '='))
            return list->at[i];
    return NULL;
}

static void judge(const char *name, const char *expected, gy_verdict verdict, gy_text *unexpected)
{
    if (expected && strcmp(expected, gy_verdict_text(verdict)) != 0)
        gy_text_printf(unexpected, "%s%s: expected %s, got %s", unexpected->n ? "; " : "", name,
                       expected, gy_verdict_text(verdict));
}

void gy_outcome_expect(gy_outcome *outcome, const gy_strings *list)
{
    // They are the outcome's own, as all that is reached from it.
    gy_property_outcome *properties = (gy_property_outcome *)outcome->properties;
    gy_text unexpected = {0};
    outcome->unexpected = "";
    if (!list->n)
        return;
    outcome->has_expectations = true;
    const char *whole = expected_of_all(list);
    outcome->expected = whole ? gy_arena_strdup(outcome->owner, whole) : NULL;
    judge("the model", whole, outcome->verdict, &unexpected);
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        gy_property_outcome *property = &properties[i];
        const char *expected = expected_of(list, property->name);
        property->expected = expected ? gy_arena_strdup(outcome->owner, expected) : NULL;
        judge(property->name, expected, property->verdict, &unexpected);
    }
    outcome->unexpected = gy_arena_strdup(outcome->owner, gy_text_str(&unexpected));
    gy_text_free(&unexpected);
}
