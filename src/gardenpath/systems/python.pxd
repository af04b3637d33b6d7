from gardenpath.core.configuration cimport Configuration as RawConfiguration
from gardenpath.systems.base cimport TransitionSystem


cdef class PythonSystem(TransitionSystem):
    cdef list names                    # of the transitions, by number in `available`
    cdef dict arcs                     # by name: the addresses of head and dependent, or None
    cdef dict failures                 # by thread: the error that its native code could not pass on

    cdef object _call(self, const RawConfiguration* c, function, tuple arguments)
    cdef bint _has_failed(self) noexcept
    cdef str _name(self, int kind)
