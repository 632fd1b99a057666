/** The values of decoded inputs and outputs, as the generated types name them. */

/** A point in time. */
export type Timestamp = Date;
/** Binary data. */
export type BinaryBlob = Uint8Array;
/** A Smithy document: any JSON value. */
export type DocumentValue = null | boolean | number | string | DocumentValue[] | { [key: string]: DocumentValue };
/** A stream of events, each an object with the one member that names the event. */
export type EventStream<Event> = AsyncIterable<Event>;
