/* Single match that Python plays decision by decision, as a Python object: the extension module of
   interpreter/native/match_extension_module.py. Included last, after `Python.h`. */

typedef struct { PyObject_HEAD Work *work; S *state; int begun; } Door;

static PyObject *told(i64 fault) {
    if (fault == NONE) Py_RETURN_NONE;
    return PyErr_Format(PyExc_RuntimeError, "the rules cannot be carried out here (%lld)", (long long)fault);
}

static PyObject *door_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)args, (void)names;
    Door *door = (Door *)type->tp_alloc(type, 0);
    if (!door) return 0;
    door->work = PyMem_RawCalloc(1, sizeof(Work));
    door->state = PyMem_RawCalloc(1, sizeof(S));
    if (door->work && door->state) {
        door->state->who = -1;
        return (PyObject *)door;
    }
    Py_DECREF(door);
    return PyErr_NoMemory();
}

static void door_dealloc(Door *door) {
    PyTypeObject *type = Py_TYPE(door);
    PyMem_RawFree(door->work);
    PyMem_RawFree(door->state);
    type->tp_free(door);
    Py_DECREF(type);
}

static PyObject *door_start(Door *door, PyObject *seed) {
    u64 number = PyLong_AsUnsignedLongLong(seed);
    if (number == (u64)-1 && PyErr_Occurred()) return 0;
    i64 fault = native_start(door->work, door->state, number, 0);
    door->begun = fault == NONE;
    if (fault != NONE) door->state->who = -1;
    return told(fault);
}

static PyObject *door_choose(Door *door, PyObject *place) {
    i64 number = PyLong_AsLongLong(place);
    if (number == -1 && PyErr_Occurred()) return 0;
    if (door->state->who < 0) return PyErr_Format(PyExc_ValueError, "the match is over");
    if (number < 0 || number >= door->state->choices)
        return PyErr_Format(PyExc_ValueError, "there is no move %lld", (long long)number);
    i64 fault = native_apply(door->work, door->state, door->state->legal[number]);
    if (fault != NONE) door->state->who = -1;
    return told(fault);
}

static PyObject *door_legal(Door *door, PyObject *nothing) {
    (void)nothing;
    i64 count = door->state->who < 0 ? 0 : door->state->choices;
    PyObject *list = PyList_New(count);
    for (i64 i = 0; list && i < count; i++) {
        PyObject *code = PyLong_FromLongLong(door->state->legal[i]);
        if (!code) {
            Py_DECREF(list);
            return 0;
        }
        PyList_SET_ITEM(list, i, code);
    }
    return list;
}

static PyObject *door_who(Door *door, void *nothing) {
    (void)nothing;
    return PyLong_FromLongLong(door->state->who);
}

/* Return winners as a bit set, scores and places by seat, like native_results. */
static PyObject *door_results(Door *door, PyObject *nothing) {
    (void)nothing;
    if (!door->begun) return PyErr_Format(PyExc_ValueError, "no match has begun");
    i64 row[1 + 2 * PLAYERS], fault = native_results(door->work, door->state, row);
    if (fault != NONE) return told(fault);
    PyObject *list = PyList_New(1 + 2 * PLAYERS);
    for (int i = 0; list && i < 1 + 2 * PLAYERS; i++) PyList_SET_ITEM(list, i, PyLong_FromLongLong(row[i]));
    return list;
}

static PyMethodDef door_methods[] = {
    {"start", (PyCFunction)door_start, METH_O, "Plays the match with this seed to its first decision."},
    {"choose", (PyCFunction)door_choose, METH_O, "Makes a move, given by its place among those that are open."},
    {"legal", (PyCFunction)door_legal, METH_NOARGS, "The codes of the moves that are open."},
    {"results", (PyCFunction)door_results, METH_NOARGS, "Who has won, as a bit set; scores; places."},
    {0},
};
static PyGetSetDef door_values[] = {{"who", (getter)door_who, 0, "The seat that is asked; -1: the match is over.", 0}, {0}};
static PyType_Slot door_slots[] = {
    {Py_tp_new, door_new}, {Py_tp_dealloc, door_dealloc}, {Py_tp_methods, door_methods}, {Py_tp_getset, door_values}, {0},
};
static PyType_Spec door_spec = {"cardlang.Door", sizeof(Door), 0, Py_TPFLAGS_DEFAULT, door_slots};

OPEN PyObject *door_type(void) { return PyType_FromSpec(&door_spec); }
