import { asString } from '@emu/wire';
import { FLOW_LOG } from '../../vended/fields.ts';
import { type Json, type JsonObject, TransformError } from '../document.ts';
import {
  type Enumerated,
  type EventClass,
  OBSERVABLE,
  OcsfEvent,
  RawRecord,
  type SchemaVersion,
  UNKNOWN,
} from './event.ts';

const CATEGORY: Enumerated = [4, 'Network Activity'];
const NETWORK: EventClass = { uid: 4001, name: 'Network Activity', category: CATEGORY };
const HTTP: EventClass = { uid: 4002, name: 'HTTP Activity', category: CATEGORY };
const DNS: EventClass = { uid: 4003, name: 'DNS Activity', category: CATEGORY };
const PROFILES = ['cloud', 'security_control', 'datetime'];

const ALLOWED: Enumerated = [1, 'Allowed'];
const DENIED: Enumerated = [2, 'Denied'];
const TRAFFIC: Enumerated = [6, 'Traffic'];
const REFUSE: Enumerated = [5, 'Refuse'];

const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);

/**
 * Converts a flow log in its default format.
 * @throws TransformError
 * @see https://github.com/ocsf/examples/tree/main/mappings/markdown/AWS
 */
export function vpcFlow(message: string, version: SchemaVersion): JsonObject {
  const values = message.trim().split(/\s+/);
  if (values.length < FLOW_LOG.length) throw new TransformError('The message has too few fields');
  const raw = new RawRecord(Object.fromEntries(FLOW_LOG.map((name, index) => [name, values[index]!])));
  const event = new OcsfEvent(NETWORK, { name: 'Amazon VPC', feature: 'Flowlogs', profiles: PROFILES }, version);
  const action = raw.text('action');
  event.set('metadata.product.version', raw.text('version'));
  event.set('cloud.account.uid', raw.text('accountId'));
  event.activity(action === 'ACCEPT' ? TRAFFIC : action === 'REJECT' ? REFUSE : UNKNOWN);
  event.enumerate('action', action === 'ACCEPT' ? ALLOWED : action === 'REJECT' ? DENIED : UNKNOWN);
  event.set('disposition', action === 'ACCEPT' ? 'Allowed' : action === 'REJECT' ? 'Blocked' : 'Unknown');
  event.enumerate('connection_info.direction', UNKNOWN);
  event.set('connection_info.protocol_num', raw.number('protocol'));
  event.observe('dst_endpoint.ip', raw.text('dstAddr'), OBSERVABLE.ip);
  event.observe('src_endpoint.ip', raw.text('srcAddr'), OBSERVABLE.ip);
  event.set('dst_endpoint.port', raw.number('dstPort'));
  event.set('src_endpoint.port', raw.number('srcPort'));
  event.set('traffic.packets', raw.number('packets'));
  event.set('traffic.bytes', raw.number('bytes'));
  event.time('time', seconds(raw.number('start')));
  event.time('start_time', seconds(raw.number('start')));
  event.time('end_time', seconds(raw.number('end')));
  event.set('status_code', raw.text('logStatus'));
  return event.finish(raw);
}

const RCODES = 'NoError,FormError,ServError,NXDomain,NotImp,Refused,YXDomain,YXRRSet,NXRRSet,NotAuth,NotZone'.split(
  ',',
);
const RCODE_NAMES: Readonly<Record<string, string>> = { FORMERR: 'FORMERROR', SERVFAIL: 'SERVERROR' };

function rcodeOf(text: string): Enumerated {
  const name = RCODE_NAMES[text] ?? text;
  const id = RCODES.findIndex((known) => known.toUpperCase() === name);
  return id < 0 ? [99, text] : [id, RCODES[id]!];
}

/** Actions of the DNS Firewall with the schema's names. */
const FIREWALL: Readonly<Record<string, { action: Enumerated; disposition: string }>> = {
  ALLOW: { action: ALLOWED, disposition: 'Allowed' },
  ALERT: { action: ALLOWED, disposition: 'Alert' },
  BLOCK: { action: DENIED, disposition: 'Blocked' },
};

/**
 * Converts a query log of Route 53 Resolver.
 * @throws TransformError
 */
export function resolverQuery(message: string, version: SchemaVersion): JsonObject {
  const raw = RawRecord.parse(message);
  const product = { name: 'Route 53', feature: 'Resolver Query Logs', profiles: PROFILES };
  const event = new OcsfEvent(DNS, product, version);
  event.activity(TRAFFIC);
  event.set('metadata.product.version', raw.text('version'));
  event.set('cloud.account.uid', raw.text('account_id'));
  event.set('cloud.region', raw.text('region'));
  event.set('src_endpoint.vpc_uid', raw.text('vpc_id'));
  event.time('time', Date.parse(raw.text('query_timestamp') ?? ''));
  const rcode = raw.text('rcode');
  if (rcode !== undefined) event.enumerate('rcode', rcodeOf(rcode));
  const answers = raw.list('answers').map(({ Type, Rdata, Class }) => ({ type: Type!, rdata: Rdata!, class: Class! }));
  if (answers.length) event.set('answers', answers);
  for (const { rdata, type } of answers)
    if (type === 'A' || type === 'AAAA') event.note('answers[].rdata', String(rdata), OBSERVABLE.ip);
  event.enumerate('connection_info.direction', UNKNOWN);
  event.set('connection_info.protocol_name', raw.text('transport'));
  event.observe('src_endpoint.instance_uid', raw.text('srcids.instance'), OBSERVABLE.resource);
  event.observe('dst_endpoint.instance_uid', raw.text('srcids.resolver_endpoint'), OBSERVABLE.resource);
  event.set('dst_endpoint.interface_uid', raw.text('srcids.resolver_network_interface'));
  event.observe('src_endpoint.ip', raw.text('srcaddr'), OBSERVABLE.ip);
  event.set('src_endpoint.port', raw.number('srcport'));
  event.observe('query.hostname', raw.text('query_name'), OBSERVABLE.hostname);
  event.set('query.type', raw.text('query_type'));
  event.set('query.class', raw.text('query_class'));
  event.set('firewall_rule.uid', raw.text('firewall_rule_group_id'));
  const { action, disposition } = FIREWALL[raw.text('firewall_rule_action') ?? ''] ?? {};
  event.enumerate('action', action ?? UNKNOWN);
  event.set('disposition', disposition ?? 'Unknown');
  return event.finish(raw);
}

const METHODS = ['Unknown', 'Connect', 'Delete', 'Get', 'Head', 'Options', 'Post', 'Put', 'Trace'];

function methodOf(method: string): Enumerated {
  const id = METHODS.findIndex((name) => name.toUpperCase() === method.toUpperCase());
  return id < 0 ? [99, method] : [id, METHODS[id]!];
}

const headerOf = (headers: readonly JsonObject[], name: string): string | undefined => {
  const found = headers.find((header) => String(header.name).toLowerCase() === name)?.value;
  return asString(found);
};

/**
 * Converts a WAF log.
 * @throws TransformError
 */
export function wafRequest(message: string, version: SchemaVersion): JsonObject {
  const raw = RawRecord.parse(message);
  const old = version === '1.1.0';
  const product = { name: old ? 'Amazon WAF' : 'AWS WAF', feature: old ? 'WAF' : undefined };
  const event = new OcsfEvent(HTTP, { ...product, profiles: old ? ['cloud', 'firewall'] : PROFILES }, version);
  event.set('metadata.product.feature.uid', raw.text('webaclId'));
  event.set('metadata.product.version', raw.text('formatVersion'));
  const labels = raw.list('labels').flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (labels.length) event.set('metadata.labels', labels);
  event.time('time', raw.number('timestamp'));
  const action = raw.text('action');
  const blocked = action === 'BLOCK';
  const passes = action === 'ALLOW' || action === 'COUNT';
  event.enumerate('action', blocked ? DENIED : passes ? ALLOWED : [99, action ?? 'Other']);
  event.enumerate('disposition', blocked ? [2, 'Blocked'] : passes ? [1, 'Allowed'] : [99, action ?? 'Other']);
  request(event, raw);
  event.set('src_endpoint.svc_name', raw.text('httpSourceName'));
  event.observe('src_endpoint.uid', raw.text('httpSourceId'), OBSERVABLE.resource);
  event.observe('firewall_rule.uid', raw.text('terminatingRuleId'), OBSERVABLE.resource);
  event.set('firewall_rule.type', raw.text('terminatingRuleType'));
  const [match] = raw.list('terminatingRuleMatchDetails');
  event.set('firewall_rule.condition', match?.conditionType);
  event.set('firewall_rule.sensitivity', match?.sensitivityLevel);
  event.set('firewall_rule.match_location', match?.location);
  event.set('firewall_rule.match_details', match?.matchedData as Json | undefined);
  const [rate] = raw.list('rateBasedRuleList');
  event.set('firewall_rule.name', rate?.rateBasedRuleName);
  event.set('firewall_rule.rate_limit', rate?.maxRateAllowed);
  event.set('http_response.code', raw.number('responseCodeSent'));
  const ja3 = raw.text('ja3Fingerprint');
  if (ja3 !== undefined && !old) event.set('tls.ja3_hash', { algorithm: 'MD5', algorithm_id: 1, value: ja3 });
  const ja4 = raw.text('ja4Fingerprint');
  if (ja4 !== undefined && !old) event.set('ja4_fingerprint_list', [{ type_id: 1, type: 'JA4', value: ja4 }]);
  return event.finish(raw);
}

/** Sets the HTTP request. */
function request(event: OcsfEvent, raw: RawRecord): void {
  const method = raw.text('httpRequest.httpMethod') ?? '';
  event.activity(methodOf(method));
  event.set('http_request.http_method', method);
  event.set('http_request.version', raw.text('httpRequest.httpVersion'));
  event.set('http_request.uid', raw.text('httpRequest.requestId'));
  event.set('http_request.args', raw.text('httpRequest.args'));
  event.set('http_request.url.path', raw.text('httpRequest.uri'));
  const headers = raw.list('httpRequest.headers');
  if (headers.length) event.set('http_request.http_headers', headers);
  event.set('http_request.user_agent', headerOf(headers, 'user-agent'));
  event.set('http_request.referrer', headerOf(headers, 'referer'));
  event.observe('http_request.url.hostname', headerOf(headers, 'host'), OBSERVABLE.hostname);
  const forwarded = headerOf(headers, 'x-forwarded-for');
  event.set('http_request.x_forwarded_for', forwarded?.split(/,\s*/));
  event.observe('src_endpoint.ip', raw.text('httpRequest.clientIp'), OBSERVABLE.ip);
  event.set('src_endpoint.location.country', raw.text('httpRequest.country'));
}
