/** Maximum bytes of a stream that a recording contains. */
export const MAX_RECORDED_BODY = 1024 * 1024;
/** Maximum number of events of a stream that a recording contains. */
export const MAX_RECORDED_EVENTS = 1000;
/** Maximum bytes of a response that is decoded. Larger ones are passed on as they arrive. */
export const MAX_WHOLE_RESPONSE = 12 * 1024 * 1024;
