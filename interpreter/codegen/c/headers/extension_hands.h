/* Hands that Python evaluates one by one, as a Python object: `hands_of` in interpreter/native/match_extension_module.py returns it.
   Included after door.h. */

typedef struct { PyObject_HEAD Work *work; S *state; } Hands;

static void hands_dealloc(Hands *hands) {
    PyTypeObject *type = Py_TYPE(hands);
    PyMem_RawFree(hands->work);
    PyMem_RawFree(hands->state);
    type->tp_free(hands);
    Py_DECREF(type);
}

static PyObject *hands_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)args, (void)names;
    Hands *hands = (Hands *)type->tp_alloc(type, 0);
    if (!hands) return 0;
    hands->work = PyMem_RawCalloc(1, sizeof(Work));
    hands->state = PyMem_RawCalloc(1, sizeof(S));
    if (hands->work && hands->state && native_blank(hands->work, hands->state, 1) == NONE) return (PyObject *)hands;
    Py_DECREF(hands);
    return PyErr_NoMemory();
}

/* Return the strength of cards, given by number, as a tuple that compares like readings; None if they make no rank. */
static PyObject *hands_strength(Hands *hands, PyObject *const *given, Py_ssize_t count) {
    i64 cards[HAND], row[READ_ROW];
    if (count > HAND) return PyErr_Format(PyExc_ValueError, "a hand of %zd cards; at most %d can be read", count, HAND);
    for (Py_ssize_t i = 0; i < count; i++) {
        cards[i] = PyLong_AsLongLong(given[i]);
        if (cards[i] == -1 && PyErr_Occurred()) return 0;
        if (cards[i] < 0 || cards[i] >= CARDS) return PyErr_Format(PyExc_ValueError, "there is no card %lld", (long long)cards[i]);
        if (among(cards, (int)i, cards[i])) return PyErr_Format(PyExc_ValueError, "card %lld is there twice", (long long)cards[i]);
    }
    i64 fault = native_read_hands(hands->work, hands->state, READ_PILE, cards, count, 1, row);
    if (fault != NONE) return told(fault);
    if (row[0] < 0) Py_RETURN_NONE;
    PyObject *strength = PyTuple_New(1 + row[3 + HAND]);
    for (i64 i = 0; strength && i <= row[3 + HAND]; i++) {
        PyObject *number = PyLong_FromLongLong(i ? row[3 + HAND + i] : -row[0]);
        if (!number) {
            Py_DECREF(strength);
            return 0;
        }
        PyTuple_SET_ITEM(strength, i, number);
    }
    return strength;
}

static PyMethodDef hands_methods[] = {
    {"strength", (PyCFunction)(void (*)(void))hands_strength, METH_FASTCALL, "How good these cards are, given by number."},
    {0},
};
static PyType_Slot hands_slots[] = {
    {Py_tp_new, hands_new}, {Py_tp_dealloc, hands_dealloc}, {Py_tp_methods, hands_methods}, {0},
};
static PyType_Spec hands_spec = {"cardlang.Hands", sizeof(Hands), 0, Py_TPFLAGS_DEFAULT, hands_slots};

OPEN PyObject *hands_type(void) { return PyType_FromSpec(&hands_spec); }
