/** Last word of the names of members whose values are generated. */
const GENERATED =
  /(?:Id|ID|Ids|Arn|ARN|Arns|Token|Marker|Handle|ETag|Iterator|Cursor|Secret|Password|AccessKey|SecretKey|Signature|Nonce|Fingerprint|Ciphertext|CiphertextBlob|Plaintext|PublicKey|PrivateKey|Mac|Certificate|QRCodePNG|Base32StringSeed|SequenceNumber|Checksum(?:CRC32|CRC32C|CRC64NVME|SHA1|SHA256|SHA512|MD5|XXHASH\w+))$|^(?:id|arn|token|etag|eTag|nonce)$/;
/** Names of members with durations and measurements, which differ in each run. */
const MEASURED =
  /(?:Duration|Elapsed|Latency|Millis|InMs|MilliSeconds|Milliseconds|Age|Uptime|Utilization)(?:Ms|InMillis|InSeconds)?$/i;
/** Names of members with times that are numbers or texts. */
const TIMED =
  /(?:Time|Timestamp|Date|At|Since|Modified|Accessed|Created|Used|Expiration|Expiry|Expires)(?:Stamp|Millis|InMillis)?$/i;

/** Whether a member of this name has another value in each run. */
export const isGenerated = (name: string): boolean => GENERATED.test(name);

/** Whether a member of this name has a time or a measurement. */
export const isMeasured = (name: string): boolean => MEASURED.test(name) || TIMED.test(name);

/** Placeholders of secrets in a masked recording. */
const PLACEHOLDER = /\{\{Secret:\d{6}\}\}|(?:Secret-?|secret|SECRET)\d{6}/;

/** Whether a text contains the placeholder of a secret. */
export const isMasked = (text: string): boolean => PLACEHOLDER.test(text);
