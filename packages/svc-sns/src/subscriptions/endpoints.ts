import { parseArn } from '@emu/core/service';
import { invalidParameter, invalidRequest } from '../errors.ts';
import { normalizeSmsEndpoint } from '../mobile/phone-numbers.ts';

/** Protocols of subscriptions. */
const PROTOCOLS = ['http', 'https', 'email', 'email-json', 'sms', 'sqs', 'application', 'lambda', 'firehose'] as const;

export type Protocol = (typeof PROTOCOLS)[number];

const isProtocol = (value: string): value is Protocol => (PROTOCOLS as readonly string[]).includes(value);

/** @throws AwsError `InvalidParameter` for an unknown protocol, or one that FIFO topics do not support */
export function checkProtocol(protocol: string, fifo: boolean): asserts protocol is Protocol {
  if (!isProtocol(protocol)) throw invalidParameter(`Amazon SNS does not support this protocol string: ${protocol}`);
  if (fifo && protocol !== 'sqs') throw invalidParameter(`Invalid protocol type: ${protocol}`);
}

/**
 * Validates the endpoint of a subscription.
 * @param isOwn whether a URL leads to emu, which has no certificate that clients trust
 * @returns the endpoint to store
 * @throws AwsError `InvalidParameter` for an endpoint that does not match the protocol
 */
export function normalizeEndpoint(
  protocol: Protocol,
  endpoint: string,
  fifoTopic: boolean,
  isOwn: (url: URL) => boolean,
): string {
  switch (protocol) {
    case 'http':
    case 'https':
      return checkUrl(protocol, endpoint, isOwn);
    case 'email':
    case 'email-json':
      if (!/^[^\s@]+@[^\s@]+$/.test(endpoint)) throw invalidParameter('Email address');
      return endpoint;
    case 'sms': {
      const number = normalizeSmsEndpoint(endpoint);
      if (number === undefined) throw invalidRequest(`Invalid SMS endpoint: ${endpoint}`);
      return number;
    }
    case 'sqs':
      return checkQueue(endpoint, fifoTopic);
    case 'lambda':
      if (!isResource(endpoint, 'lambda', /^function:[^:]+(:[^:]+)?$/)) throw invalidParameter('Lambda endpoint ARN');
      return endpoint;
    case 'firehose':
      if (!isResource(endpoint, 'firehose', /^deliverystream\/[^/]+$/)) throw invalidParameter('Firehose endpoint ARN');
      return endpoint;
    case 'application':
      if (!isResource(endpoint, 'sns', /^endpoint\/[^/]+\/[^/]+\/[^/]+$/))
        throw invalidParameter('Application endpoint arn invalid');
      return endpoint;
  }
}

function isResource(endpoint: string, service: string, resource: RegExp): boolean {
  const arn = parseArn(endpoint);
  return arn?.service === service && resource.test(arn.resource) && arn.region !== '' && /^\d{12}$/.test(arn.accountId);
}

function checkUrl(protocol: 'http' | 'https', endpoint: string, isOwn: (url: URL) => boolean): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isLocal = url?.protocol === 'http:' && isOwn(url);
  if (!endpoint.toLowerCase().startsWith(`${protocol}://`) && !isLocal)
    throw invalidParameter('Endpoint must match the specified protocol');
  if (!url) throw invalidParameter('Endpoint');
  return endpoint;
}

function checkQueue(endpoint: string, fifoTopic: boolean): string {
  if (!isResource(endpoint, 'sqs', /^[\w.-]+$/)) throw invalidParameter('SQS endpoint ARN');
  if (endpoint.endsWith('.fifo') && !fifoTopic)
    throw invalidParameter(
      'Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics',
    );
  return endpoint;
}
