/**
 * Endpoints whose deliveries are logged: the start of the attributes' names, by protocol.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-topic-attributes.html
 */
const ENDPOINTS: Readonly<Record<string, string>> = {
  application: 'Application',
  firehose: 'Firehose',
  http: 'HTTP',
  https: 'HTTP',
  lambda: 'Lambda',
  sqs: 'SQS',
};

/** Starts of the names of attributes for delivery status logs. */
export const LOGGED_ENDPOINTS: readonly string[] = [...new Set(Object.values(ENDPOINTS))];

/** Settings for the logs of deliveries to a protocol. */
export interface Feedback {
  /** ARN of the role that logs successful deliveries. */
  readonly successRole: string | undefined;
  /** ARN of the role that logs failed deliveries. */
  readonly failureRole: string | undefined;
  /** Percentage of successful deliveries that are logged. */
  readonly sampleRate: number;
}

const ALL = 100;

/** Returns the settings of a topic for a protocol; undefined if nothing is logged. */
export function feedbackOf(attributes: Readonly<Record<string, string>>, protocol: string): Feedback | undefined {
  return Object.hasOwn(ENDPOINTS, protocol) ? feedbackIn(attributes, ENDPOINTS[protocol]!) : undefined;
}

/** Returns the settings of a platform application; undefined if nothing is logged. */
export const feedbackOfApplication = (attributes: Readonly<Record<string, string>>): Feedback | undefined =>
  feedbackIn(attributes, '');

function feedbackIn(attributes: Readonly<Record<string, string>>, endpoint: string): Feedback | undefined {
  // An empty value removes an attribute.
  const successRole = attributes[`${endpoint}SuccessFeedbackRoleArn`] || undefined;
  const failureRole = attributes[`${endpoint}FailureFeedbackRoleArn`] || undefined;
  if (successRole === undefined && failureRole === undefined) return undefined;
  return { successRole, failureRole, sampleRate: Number(attributes[`${endpoint}SuccessFeedbackSampleRate`] || ALL) };
}
