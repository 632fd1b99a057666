/**
 * Bytes that may wait for a client of a WebSocket API to read them. Beyond them, its messages are not processed, and
 * messages to it are refused.
 */
export const MAX_UNSENT = 1024 * 1024;
