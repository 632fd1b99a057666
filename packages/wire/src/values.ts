/** Values of decoded inputs and outputs, as named in the generated types. */

/** A timestamp. */
export type Timestamp = Date;
/** Binary data. */
export type BinaryBlob = Uint8Array;
/** A Smithy document: any JSON value. */
export type DocumentValue = null | boolean | number | string | DocumentValue[] | { [key: string]: DocumentValue };
/** A stream of events, each an object with one member named after the event. */
export type EventStream<Event> = AsyncIterable<Event>;
