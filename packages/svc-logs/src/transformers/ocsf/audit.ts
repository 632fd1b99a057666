import { isIP } from 'node:net';
import { servicePrincipalName } from '@emu/core/service';
import type { JsonObject } from '../document.ts';
import {
  dataOf,
  type Enumerated,
  type EventClass,
  OBSERVABLE,
  OcsfEvent,
  otherActivity,
  RawRecord,
  type SchemaVersion,
  UNKNOWN,
} from './event.ts';

const IDENTITY: Enumerated = [3, 'Identity & Access Management'];
const ACCOUNT_CHANGE: EventClass = { uid: 3001, name: 'Account Change', category: IDENTITY };
const AUTHENTICATION: EventClass = { uid: 3002, name: 'Authentication', category: IDENTITY };
const API: EventClass = { uid: 6003, name: 'API Activity', category: [6, 'Application Activity'] };

/** Activities of IAM operations that change accounts. */
const CHANGES: Readonly<Record<string, Enumerated>> = {
  CreateUser: [1, 'Create'],
  CreateRole: [1, 'Create'],
  ChangePassword: [3, 'Password Change'],
  UpdateLoginProfile: [4, 'Password Reset'],
  DeleteUser: [6, 'Delete'],
  DeleteRole: [6, 'Delete'],
  AttachUserPolicy: [7, 'Attach Policy'],
  AttachRolePolicy: [7, 'Attach Policy'],
  DetachUserPolicy: [8, 'Detach Policy'],
  DetachRolePolicy: [8, 'Detach Policy'],
  EnableMFADevice: [10, 'MFA Factor Enable'],
  DeactivateMFADevice: [11, 'MFA Factor Disable'],
};
const SIGN_IN = /^(?:AssumeRole|GetSessionToken|GetFederationToken)/;
const LOGON: Enumerated = [1, 'Logon'];

/** Activities of operations by name prefix, and of Kubernetes verbs. */
const VERBS: readonly (readonly [RegExp, Enumerated])[] = [
  [/^(?:Create|Run|Allocate|Register|create$)/, [1, 'Create']],
  [/^(?:Get|Describe|List|Lookup|Search|Head|Select|get$|list$|watch$)/, [2, 'Read']],
  [/^(?:Update|Modify|Put|Set|Change|Tag|Untag|update$|patch$)/, [3, 'Update']],
  [/^(?:Delete|Terminate|Remove|Deregister|Release|delete$|deletecollection$)/, [4, 'Delete']],
];

const activityOf = (name: string): Enumerated => VERBS.find(([form]) => form.test(name))?.[1] ?? otherActivity(name);

/** Returns the class and activity of a CloudTrail event. */
function kindOf(source: string, name: string): { eventClass: EventClass; activity: Enumerated } {
  const change = source === servicePrincipalName('iam') ? CHANGES[name] : undefined;
  if (change) return { eventClass: ACCOUNT_CHANGE, activity: change };
  if (source === servicePrincipalName('signin'))
    return { eventClass: AUTHENTICATION, activity: name === 'ConsoleLogin' ? LOGON : otherActivity(name) };
  if (source === servicePrincipalName('sts') && SIGN_IN.test(name))
    return { eventClass: AUTHENTICATION, activity: LOGON };
  return { eventClass: API, activity: activityOf(name) };
}

/**
 * Converts an event of CloudTrail.
 * @throws TransformError
 * @see https://github.com/ocsf/examples/tree/main/mappings/markdown/AWS
 */
export function cloudTrail(message: string, version: SchemaVersion): JsonObject {
  const raw = RawRecord.parse(message);
  const [source = '', name = ''] = [raw.text('eventSource'), raw.text('eventName')];
  const { eventClass, activity } = kindOf(source, name);
  const feature = raw.text('eventCategory') ?? 'Management, Data, and Insights';
  const event = new OcsfEvent(eventClass, { name: 'CloudTrail', feature, profiles: ['cloud', 'datetime'] }, version);
  event.activity(activity);
  event.set('metadata.product.version', raw.text('eventVersion'));
  event.set('metadata.uid', raw.text('eventID'));
  event.set('metadata.event_code', raw.text('eventType'));
  event.time('time', Date.parse(raw.text('eventTime') ?? ''));
  event.set('cloud.region', raw.text('awsRegion'));
  event.set('cloud.account.uid', raw.text('recipientAccountId'));
  actor(event, raw);
  event.set('api.operation', name);
  event.set('api.service.name', source);
  event.set('api.version', raw.text('apiVersion'));
  event.set('api.request.uid', raw.text('requestID'));
  event.set('api.request.data', dataOf(raw.take('requestParameters')));
  event.set('api.response.data', dataOf(raw.take('responseElements')));
  const error = raw.text('errorCode');
  event.set('api.response.error', error);
  event.set('api.response.message', raw.text('errorMessage'));
  event.set('status', raw.text('responseElements.ConsoleLogin') ?? (error === undefined ? 'Success' : 'Failure'));
  event.set('http_request.user_agent', raw.text('userAgent'));
  const address = raw.text('sourceIPAddress');
  if (address !== undefined && isIP(address)) event.observe('src_endpoint.ip', address, OBSERVABLE.ip);
  else event.observe('src_endpoint.domain', address, OBSERVABLE.hostname);
  event.set('src_endpoint.uid', raw.text('vpcEndpointId'));
  const resources = raw.list('resources').map(({ ARN, accountId, type }) => ({
    ...(ARN !== undefined && { uid: ARN }),
    ...(accountId !== undefined && { account: { uid: accountId } }),
    ...(type !== undefined && { type }),
  }));
  if (resources.length) event.set('resources', resources);
  for (const { uid } of resources) if (typeof uid === 'string') event.note('resources[].uid', uid, OBSERVABLE.resource);
  if (eventClass !== API) subject(event, raw);
  return event.finish(raw);
}

/** Sets the actor. */
function actor(event: OcsfEvent, raw: RawRecord): void {
  const identity = (path: string): string | undefined => raw.text(`userIdentity.${path}`);
  event.set('actor.user.account.uid', identity('accountId'));
  event.set('actor.user.credential_uid', identity('accessKeyId') ?? identity('credentialId'));
  event.observe('actor.user.name', identity('userName'), OBSERVABLE.user);
  event.set('actor.user.type', identity('type'));
  event.set('actor.user.uid', identity('arn'));
  event.set('actor.user.uid_alt', identity('principalId'));
  event.time('actor.session.created_time', Date.parse(identity('sessionContext.attributes.creationDate') ?? ''));
  const mfa = identity('sessionContext.attributes.mfaAuthenticated');
  event.set('actor.session.is_mfa', mfa === undefined ? undefined : mfa === 'true');
  event.set('actor.session.issuer', identity('sessionContext.sessionIssuer.arn'));
  event.set('actor.invoked_by', identity('invokedBy'));
  event.set(
    'actor.idp.name',
    identity('sessionContext.webIdFederationData.federatedProvider') ?? identity('identityProvider'),
  );
}

/** Sets the user of an identity event. */
function subject(event: OcsfEvent, raw: RawRecord): void {
  event.set(
    'user.name',
    raw.text('requestParameters.userName') ??
      raw.text('requestParameters.roleName') ??
      raw.text('requestParameters.roleSessionName'),
  );
  event.set(
    'user.uid',
    raw.text('requestParameters.roleArn') ??
      raw.text('responseElements.user.userId') ??
      raw.text('responseElements.role.roleId') ??
      raw.text('userIdentity.arn'),
  );
  const mfa = raw.text('additionalEventData.MFAUsed');
  event.set('is_mfa', mfa === undefined ? undefined : mfa === 'Yes');
  event.set('dst_endpoint.svc_name', raw.text('additionalEventData.LoginTo'));
}

/**
 * Converts an audit log of EKS.
 * @throws TransformError
 */
export function eksAudit(message: string, version: SchemaVersion): JsonObject {
  const raw = RawRecord.parse(message);
  const profiles = ['cloud', 'datetime', ...(version === '1.1.0' ? [] : ['security_control'])];
  const product = { name: 'Amazon EKS', feature: 'Elastic Kubernetes Service', profiles };
  const event = new OcsfEvent(API, product, version);
  const verb = raw.text('verb') ?? '';
  event.activity(activityOf(verb));
  if (version !== '1.1.0') event.enumerate('action', UNKNOWN);
  event.set('metadata.log_level', raw.text('level'));
  event.set('metadata.log_name', raw.text('kind'));
  event.set('metadata.product.version', raw.text('apiVersion'));
  event.set('message', raw.text('stage'));
  event.set('api.operation', verb);
  event.set('api.version', raw.text('objectRef.apiVersion'));
  event.set('api.group.name', raw.text('objectRef.apiGroup'));
  event.set('api.request.uid', raw.text('auditID'));
  event.set('api.request.data', dataOf(raw.take('requestObject')));
  event.set('api.response.data', dataOf(raw.take('responseObject')));
  event.set('api.response.code', raw.number('responseStatus.code'));
  event.set('api.response.message', raw.text('responseStatus.message'));
  event.set('api.response.error', raw.text('responseStatus.reason'));
  event.set('api.response.error_message', raw.text('responseStatus.status'));
  event.observe('http_request.url.path', raw.text('requestURI'), OBSERVABLE.url);
  event.set('http_request.user_agent', raw.text('userAgent'));
  event.set('actor.user.type_id', 0);
  event.observe('actor.user.name', raw.text('user.username'), OBSERVABLE.user);
  event.set('actor.user.uid', raw.text('user.uid'));
  const texts = (path: string): string[] => {
    const value = raw.take(path);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  };
  const groups = texts('user.groups').map((name) => ({ name }));
  if (groups.length) event.set('actor.user.groups', groups);
  event.set('actor.session.credential_uid', texts('user.extra.accessKeyId')[0]);
  event.set('actor.session.uid', texts('user.extra.sessionName')[0]);
  event.set('actor.session.issuer', texts('user.extra.canonicalArn')[0]);
  event.set('cloud.account.uid', texts('user.extra.arn')[0]);
  const [address, ...others] = texts('sourceIPs');
  event.observe('src_endpoint.ip', address, OBSERVABLE.ip);
  if (others.length) event.set('src_endpoint.intermediate_ips', others);
  const [type, part] = [raw.text('objectRef.resource'), raw.text('objectRef.subresource')];
  const resource: JsonObject = {};
  for (const [name, value] of [
    ['name', raw.text('objectRef.name')],
    ['namespace', raw.text('objectRef.namespace')],
    ['uid', raw.text('objectRef.uid')],
    ['version', raw.text('objectRef.resourceVersion')],
    ['type', part === undefined ? type : `${type}/${part}`],
  ] as const)
    if (value !== undefined) resource[name] = value;
  if (Object.keys(resource).length) event.set('resources', [resource]);
  event.note('resources[].uid', raw.text('objectRef.uid'), OBSERVABLE.resource);
  event.time('start_time', Date.parse(raw.text('requestReceivedTimestamp') ?? ''));
  event.time('time', Date.parse(raw.text('stageTimestamp') ?? ''));
  return event.finish(raw);
}
