// Simulations that a user steps through: each is a child that speaks docs/protocol.md.
#include "serve/ui/ui_api_parts.h"

#include "base/clock.h"
#include "base/number.h"
#include "report/json.h"

enum { MOST_SIMS = 8 };

static const double PATIENCE = 10; // seconds for an answer
static const uint64_t SIM_MEMORY = (uint64_t)4 << 30;

// What may be asked: all but writing files.
static const char *const allowed[] = {"state", "choose",  "forward", "undo",  "restart",
                                      "jump",  "random",  "run",     "break", "clear",
                                      "watch", "unwatch", NULL};

static bool is_allowed(const char *name)
{
    for (const char *const *other = allowed; name && *other; other++)
        if (strcmp(*other, name) == 0)
            return true;
    return false;
}

static void told(void *user)
{
    gy_call *call = user;
    pthread_mutex_lock(&call->api->lock); // call->sim is set when the code that starts it lets go
    pthread_mutex_unlock(&call->api->lock);
    call->api->options.ready(call->from);
}

static void sim_free(gy_sim *sim)
{
    gy_session_free(sim->session);
    free(sim);
}

// With the lock.
static void take_off(gy_ui_api *api, const gy_sim *sim)
{
    for (size_t i = 0; i < api->sims.n; i++)
        if (api->sims.at[i] == sim) {
            api->sims.at[i] = api->sims.at[--api->sims.n];
            return;
        }
}

static void finish(gy_ui_api *api, gy_call *call)
{
    gy_sim *sim = call->sim;
    char *line = gy_session_answer(sim->session);
    json_t *answer = line ? json_loads(line, 0, NULL) : NULL;
    bool begun = json_object_get(answer, "reply") != NULL; // else: the report of an error
    pthread_mutex_lock(&api->lock);
    sim->busy = false;
    bool over = !begun || sim->leaves;
    if (over)
        take_off(api, sim);
    pthread_mutex_unlock(&api->lock);
    if (answer)
        gy_ui_api_tell(call, 200, json_pack("{s:i, s:o}", "id", (int)sim->id, "answer", answer));
    else
        gy_ui_api_refuse(call, 410, "the simulation has ended");
    free(line);
    if (over)
        sim_free(sim);
}

// With the lock: room for one more; the one that nothing has used for longest goes.
static gy_sim *make_room(gy_ui_api *api)
{
    gy_sim *oldest = NULL;
    for (size_t i = 0; i < api->sims.n; i++)
        if (!api->sims.at[i]->busy && (!oldest || api->sims.at[i]->used < oldest->used))
            oldest = api->sims.at[i];
    if (api->sims.n < MOST_SIMS || !oldest)
        return NULL;
    take_off(api, oldest);
    return oldest;
}

// False: refused.
static bool make_arguments(const gy_ui_api *api, const json_t *body, gy_call *call,
                           gy_ui_api_arguments *list)
{
    const json_t *seed = json_object_get(body, "seed");
    gy_ui_api_add(list, "sim");
    gy_ui_api_add(list, "--json");
    gy_ui_api_add(list, "--interactive");
    if (json_is_integer(seed))
        gy_ui_api_add(list, "--seed=%lld", (long long)json_integer_value(seed));
    if (!api->options.allow_c)
        gy_ui_api_add(list, "--no-c");
    if (!gy_ui_api_add_defines(list, body, call))
        return false;
    gy_ui_api_add(list, "--");
    gy_ui_api_add(list, "%s",
                  gy_ui_directory_base(json_string_value(json_object_get(body, "name"))));
    gy_vec_push(list, NULL);
    return true;
}

// False: refused.
static bool start(gy_ui_api *api, gy_call *call, const gy_child_request *request)
{
    gy_sim *sim = gy_alloc_zero(sizeof *sim);
    pthread_mutex_lock(&api->lock);
    gy_sim *old = make_room(api);
    *sim = (gy_sim){.id = ++api->ids, .busy = true, .used = gy_clock()};
    bool room = api->sims.n < MOST_SIMS && !api->stopping;
    if (room) {
        call->sim = sim;
        call->finish = finish;
        sim->session = gy_session_start(request, PATIENCE, told, call);
        if (sim->session)
            gy_vec_push(&api->sims, sim);
    }
    bool good = sim->session != NULL;
    pthread_mutex_unlock(&api->lock);
    if (old)
        sim_free(old);
    if (!good) {
        call->finish = NULL;
        gy_ui_api_refuse(call, room ? 500 : 429,
                         room ? "the simulation cannot be started" : "too many simulations run");
        free(sim);
    }
    return good;
}

bool gy_route_sim(gy_ui_api *api, gy_call *call)
{
    const char *name;
    json_t *body = gy_ui_api_saved_body(api, call, &name);
    gy_ui_api_arguments list = {0};
    bool started = false;
    if (!body)
        return true;
    if (make_arguments(api, body, call, &list)) {
        char *place = gy_ui_directory_place(&api->folder, name);
        gy_child_request request = {
            .arguments = (const char *const *)list.at,
            .program = api->options.program,
            .folder = place,
            .within = api->folder.path,
            .most_memory = SIM_MEMORY,
        };
        started = start(api, call, &request);
        free(place);
    }
    gy_ui_api_arguments_free(&list);
    json_decref(body);
    return !started;
}

// With the lock; NULL after having refused.
static gy_sim *find(gy_ui_api *api, gy_call *call)
{
    uint64_t id = 0;
    gy_number_count(gy_ui_api_query(call, "id"), &id);
    for (size_t i = 0; i < api->sims.n; i++)
        if (api->sims.at[i]->id == id)
            return api->sims.at[i];
    gy_ui_api_refuse(call, 410, "the simulation has ended");
    return NULL;
}

bool gy_route_ask(gy_ui_api *api, gy_call *call)
{
    json_t *request = json_loadb(call->body.at ? call->body.at : "", call->body.n, 0, NULL);
    if (!is_allowed(json_string_value(json_object_get(request, "do")))) {
        json_decref(request);
        gy_ui_api_refuse(call, 400, "that cannot be asked of a simulation");
        return true;
    }
    gy_text line = {0};
    gy_json_dump(request, &line, true);
    line.at[--line.n] = '\0'; // the session ends lines
    bool waits = false;
    pthread_mutex_lock(&api->lock);
    gy_sim *sim = find(api, call);
    if (sim && (sim->busy || api->stopping)) {
        gy_ui_api_refuse(call, 409, "the last question is not answered yet");
    } else if (sim) {
        call->sim = sim;
        call->finish = finish;
        sim->used = gy_clock();
        waits = sim->busy = gy_session_ask(sim->session, line.at, told, call);
        if (!waits) { // it has ended: nothing will be reported
            call->finish = NULL;
            take_off(api, sim);
            gy_ui_api_refuse(call, 410, "the simulation has ended");
        }
    }
    pthread_mutex_unlock(&api->lock);
    if (sim && !waits && call->status == 410)
        sim_free(sim);
    gy_text_free(&line);
    return !waits;
}

bool gy_route_leave(gy_ui_api *api, gy_call *call)
{
    pthread_mutex_lock(&api->lock);
    gy_sim *sim = find(api, call);
    bool free_it = sim && !sim->busy;
    if (sim && sim->busy)
        sim->leaves = true;
    else if (sim)
        take_off(api, sim);
    pthread_mutex_unlock(&api->lock);
    if (sim)
        gy_ui_api_tell(call, 200, json_object());
    if (free_it)
        sim_free(sim);
    return true;
}

// Those that a call waits for are freed by that call, which is informed now.
void gy_ui_api_sims_free(gy_ui_api *api)
{
    pthread_mutex_lock(&api->lock);
    for (size_t i = api->sims.n; i-- > 0;) {
        gy_sim *sim = api->sims.at[i];
        if (sim->busy) {
            sim->leaves = true;
            gy_session_end(sim->session);
            continue;
        }
        take_off(api, sim);
        sim_free(sim); // its thread wants no lock: nothing waits for it
    }
    pthread_mutex_unlock(&api->lock);
}
