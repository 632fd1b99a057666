/**
 * Recordings of requests to AWS, as written by `emu record` and read by `emu replay`.
 *
 * A recording is a text file in UTF-8 with one JSON object per line (JSON Lines). The first line is the header:
 *
 *     {"recording":1,"startedAt":"2026-11-29T09:00:00.000Z","upstream":"aws","region":"us-east-1","masked":true}
 *
 * Each further line is one request with its response. Lines are in the order of the responses; `n` ascends in the order of
 * the requests. A request of a service's API is decoded by the service's model:
 *
 *     {"n":1,"startedAt":"2026-11-29T09:00:01.250Z","milliseconds":12.3,"service":"sqs","region":"us-east-1",
 *      "operation":"SendMessage","input":{"QueueUrl":"…","MessageBody":"hello"},"status":200,
 *      "headers":{"x-amzn-requestid":"…"},"output":{"MessageId":"…"}}
 *
 * An error response has `error` instead of `output`: `{"code":"QueueDoesNotExist","message":"…","members":{…}}`, with
 * `members` only if the error has more than a message. An operation without members has the input or output `{}`.
 *
 * A request without a model has both sides as sent: one of a data plane (a website, an API of API Gateway, a function URL, a
 * hosted page), and one of a service that emu does not have:
 *
 *     {"n":2,"startedAt":"…","milliseconds":8.1,"service":"execute-api","region":"us-east-1",
 *      "request":{"method":"GET","host":"abc123.execute-api.us-east-1.amazonaws.com","path":"/dev/pets","query":"","headers":{…}},
 *      "response":{"status":200,"headers":{…},"body":"…"}}
 *
 * Values that JSON lacks are objects with one reserved name; see {@link toJson}:
 *
 * - blobs: `{"$bytes":"<base64>"}`. A body over the limit has its first bytes and its whole length in bytes:
 *   `{"$bytes":"<base64>","$length":104857600}`
 * - timestamps: `{"$time":"2026-11-29T09:00:00.000Z"}`
 * - numbers that JSON lacks: `{"$number":"NaN"}`
 * - an object of the user that has a reserved name: `{"$literal":{…}}`
 * - event streams are lists of events, each `{"<name>":{…}}`
 *
 * Records with `"cut":true` lack parts of a body or events that were over a limit.
 *
 * In a masked recording, placeholders replace secrets. They are stable within the file: the same value has the same number
 * everywhere. See {@link Masker} for their forms.
 */
export { MAX_LINE } from './limits.ts';
export { Masker } from './masking/masker.ts';
export * from './reader.ts';
export * from './records.ts';
export * from './values.ts';
export * from './writer.ts';
