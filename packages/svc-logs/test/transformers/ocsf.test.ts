import type { ParseToOCSF } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, type LogsTest, startLogs } from '../support.ts';

// Expected results are from the mappings and samples at
// https://github.com/ocsf/examples/tree/main/mappings/markdown/AWS.

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Converts a service's log; undefined if it is invalid. */
async function converted(
  eventSource: ParseToOCSF['eventSource'],
  message: string | object,
  ocsfVersion: 'V1.1' | 'V1.5' = 'V1.5',
): Promise<Record<string, unknown> | undefined> {
  const { transformedLogs } = await test.logs.testTransformer({
    transformerConfig: [{ parseToOCSF: { eventSource, ocsfVersion } }],
    logEventMessages: [typeof message === 'string' ? message : JSON.stringify(message)],
  });
  const text = transformedLogs![0]!.transformedEventMessage;
  return text ? (JSON.parse(text) as Record<string, unknown>) : undefined;
}

const ip = (name: string, value: string) => ({ name, value, type: 'IP Address', type_id: 2 });

describe('parseToOCSF', () => {
  it('flow logs of a VPC', async () => {
    const line = '2 123456789012 eni-1 10.0.0.1 10.0.0.2 49761 3389 6 20 4249 1418530010 1418530070 REJECT OK';
    expect(await converted('VPCFlow', line, 'V1.1')).toEqual({
      category_uid: 4,
      category_name: 'Network Activity',
      class_uid: 4001,
      class_name: 'Network Activity',
      activity_id: 5,
      activity_name: 'Refuse',
      type_uid: 400105,
      type_name: 'Network Activity: Refuse',
      action: 'Denied',
      action_id: 2,
      disposition: 'Blocked',
      severity: 'Informational',
      severity_id: 1,
      cloud: { provider: 'AWS', account: { uid: '123456789012' } },
      metadata: {
        version: '1.1.0',
        profiles: ['cloud', 'security_control', 'datetime'],
        product: { name: 'Amazon VPC', vendor_name: 'AWS', version: '2', feature: { name: 'Flowlogs' } },
      },
      connection_info: { direction: 'Unknown', direction_id: 0, protocol_num: 6 },
      src_endpoint: { ip: '10.0.0.1', port: 49761 },
      dst_endpoint: { ip: '10.0.0.2', port: 3389 },
      traffic: { packets: 20, bytes: 4249 },
      time: 1418530010000,
      time_dt: '2014-12-14T04:06:50.000Z',
      start_time_dt: '2014-12-14T04:06:50.000Z',
      end_time_dt: '2014-12-14T04:07:50.000Z',
      status_code: 'OK',
      observables: [ip('dst_endpoint.ip', '10.0.0.2'), ip('src_endpoint.ip', '10.0.0.1')],
      unmapped: { interfaceId: 'eni-1' },
    });
    const accepted = await converted('VPCFlow', line.replace('REJECT', 'ACCEPT'));
    expect(accepted).toMatchObject({ type_uid: 400106, action: 'Allowed', metadata: { version: '1.5.0' } });
    const nothing = '2 123456789012 eni-1 - - - - - - - 1431280876 1431280934 - NODATA';
    expect(await converted('VPCFlow', nothing)).toMatchObject({ activity_id: 0, action_id: 0, status_code: 'NODATA' });
    expect(await converted('VPCFlow', 'a b c')).toBeUndefined();
  });

  it('query logs of Route 53 Resolver', async () => {
    const event = await converted('Route53Resolver', {
      version: '1.100000',
      account_id: '123456789012',
      region: 'us-east-1',
      vpc_id: 'vpc-0',
      query_timestamp: '2022-10-13T21:02:36Z',
      query_name: 'alert.firewall.canary.',
      query_type: 'A',
      query_class: 'IN',
      rcode: 'NOERROR',
      answers: [{ Rdata: '127.0.0.62', Type: 'A', Class: 'IN' }],
      srcaddr: '10.200.21.100',
      srcport: '15083',
      transport: 'UDP',
      srcids: { resolver_endpoint: 'rslvr-in-0', resolver_network_interface: 'rni-0' },
      firewall_rule_group_id: 'rslvr-frg-0',
      firewall_rule_action: 'ALERT',
      firewall_domain_list_id: 'rslvr-fdl-0',
    });
    expect(event).toMatchObject({
      class_uid: 4003,
      type_name: 'DNS Activity: Traffic',
      type_uid: 400306,
      action: 'Allowed',
      action_id: 1,
      disposition: 'Alert',
      rcode: 'NoError',
      rcode_id: 0,
      answers: [{ class: 'IN', rdata: '127.0.0.62', type: 'A' }],
      query: { class: 'IN', hostname: 'alert.firewall.canary.', type: 'A' },
      src_endpoint: { ip: '10.200.21.100', port: 15083, vpc_uid: 'vpc-0' },
      dst_endpoint: { instance_uid: 'rslvr-in-0', interface_uid: 'rni-0' },
      firewall_rule: { uid: 'rslvr-frg-0' },
      time: 1665694956000,
      unmapped: { firewall_domain_list_id: 'rslvr-fdl-0' },
    });
    expect(event!.observables).toEqual([
      ip('answers[].rdata', '127.0.0.62'),
      { name: 'dst_endpoint.instance_uid', value: 'rslvr-in-0', type: 'Resource UID', type_id: 10 },
      ip('src_endpoint.ip', '10.200.21.100'),
      { name: 'query.hostname', value: 'alert.firewall.canary.', type: 'Hostname', type_id: 1 },
    ]);
    expect(await converted('Route53Resolver', { rcode: 'SERVFAIL' })).toMatchObject({
      rcode: 'ServError',
      rcode_id: 2,
    });
  });

  it('logs of WAF', async () => {
    const log = {
      timestamp: 1752678174452,
      formatVersion: 1,
      webaclId: 'arn:aws:wafv2:us-east-2:123456789012:regional/webacl/general/f',
      terminatingRuleId: 'sqli',
      terminatingRuleType: 'REGULAR',
      action: 'BLOCK',
      terminatingRuleMatchDetails: [
        {
          conditionType: 'SQL_INJECTION',
          sensitivityLevel: 'HIGH',
          location: 'HEADER',
          matchedData: ['10', 'AND', '1'],
        },
      ],
      httpSourceName: 'ALB',
      httpSourceId: '123456789012-app/x',
      responseCodeSent: null,
      httpRequest: {
        clientIp: '1.2.3.4',
        country: 'US',
        headers: [
          { name: 'Host', value: 'example.com' },
          { name: 'X-Forwarded-For', value: '1.2.3.4, 5.6.7.8' },
          { name: 'user-agent', value: 'Mozilla/5.0' },
        ],
        uri: '/pets',
        args: 'a=1',
        httpVersion: 'HTTP/1.1',
        httpMethod: 'GET',
        requestId: '1-6877bf1e',
        scheme: 'https',
      },
      ja3Fingerprint: '71912442',
    };
    const event = await converted('AWSWAF', log);
    expect(event).toMatchObject({
      type_uid: 400203,
      type_name: 'HTTP Activity: Get',
      action: 'Denied',
      disposition: 'Blocked',
      disposition_id: 2,
      firewall_rule: { uid: 'sqli', type: 'REGULAR', condition: 'SQL_INJECTION', match_details: ['10', 'AND', '1'] },
      http_request: {
        http_method: 'GET',
        url: { hostname: 'example.com', path: '/pets' },
        user_agent: 'Mozilla/5.0',
        x_forwarded_for: ['1.2.3.4', '5.6.7.8'],
      },
      src_endpoint: { ip: '1.2.3.4', location: { country: 'US' }, svc_name: 'ALB' },
      tls: { ja3_hash: { algorithm: 'MD5', value: '71912442' } },
      metadata: { product: { name: 'AWS WAF', version: '1' } },
      unmapped: { 'httpRequest.scheme': 'https' },
    });
    const old = await converted('AWSWAF', log, 'V1.1');
    expect(old).toMatchObject({ metadata: { product: { name: 'Amazon WAF' }, profiles: ['cloud', 'firewall'] } });
    expect(old).not.toHaveProperty('tls');
  });

  const trail = {
    eventVersion: '1.05',
    eventID: '71c88be9',
    eventType: 'AwsApiCall',
    eventTime: '2023-09-21T22:22:52Z',
    eventSource: 'directconnect.amazonaws.com',
    eventName: 'DescribeDirectConnectGateways',
    awsRegion: 'us-east-1',
    sourceIPAddress: '205.8.181.128',
    userAgent: 'Boto3/1.15.2',
    requestParameters: null,
    responseElements: { directConnectGateways: [] },
    requestID: '1c8a6220',
    recipientAccountId: '111111111111',
    readOnly: true,
    userIdentity: {
      type: 'IAMUser',
      principalId: 'AIDADO2GQEXAMPLE',
      arn: 'arn:aws:iam::111111111111:user/Level6',
      accountId: '111111111111',
      accessKeyId: 'AKIA3Z2XBVEXAMPLE',
      userName: 'Level6',
    },
  };

  it('CloudTrail events, as API activities', async () => {
    expect(await converted('CloudTrail', trail)).toEqual({
      class_uid: 6003,
      class_name: 'API Activity',
      category_uid: 6,
      category_name: 'Application Activity',
      activity_id: 2,
      activity_name: 'Read',
      type_uid: 600302,
      type_name: 'API Activity: Read',
      severity: 'Informational',
      severity_id: 1,
      status: 'Success',
      actor: {
        user: {
          account: { uid: '111111111111' },
          credential_uid: 'AKIA3Z2XBVEXAMPLE',
          name: 'Level6',
          type: 'IAMUser',
          uid: 'arn:aws:iam::111111111111:user/Level6',
          uid_alt: 'AIDADO2GQEXAMPLE',
        },
      },
      api: {
        operation: 'DescribeDirectConnectGateways',
        request: { uid: '1c8a6220' },
        response: { data: '{"directConnectGateways":[]}' },
        service: { name: 'directconnect.amazonaws.com' },
      },
      cloud: { provider: 'AWS', region: 'us-east-1', account: { uid: '111111111111' } },
      http_request: { user_agent: 'Boto3/1.15.2' },
      metadata: {
        event_code: 'AwsApiCall',
        product: {
          feature: { name: 'Management, Data, and Insights' },
          name: 'CloudTrail',
          vendor_name: 'AWS',
          version: '1.05',
        },
        profiles: ['cloud', 'datetime'],
        uid: '71c88be9',
        version: '1.5.0',
      },
      src_endpoint: { ip: '205.8.181.128' },
      time: 1695334972000,
      time_dt: '2023-09-21T22:22:52.000Z',
      observables: [
        { name: 'actor.user.name', value: 'Level6', type: 'User Name', type_id: 4 },
        ip('src_endpoint.ip', '205.8.181.128'),
      ],
      unmapped: { readOnly: 'true' },
    });
  });

  it('CloudTrail events, as account changes and sign-ins', async () => {
    const change = {
      eventSource: 'iam.amazonaws.com',
      eventName: 'CreateUser',
      requestParameters: { userName: 'bob' },
    };
    expect(await converted('CloudTrail', { ...trail, ...change })).toMatchObject({
      class_uid: 3001,
      type_name: 'Account Change: Create',
      user: { name: 'bob' },
    });
    const login = {
      eventSource: 'signin.amazonaws.com',
      eventName: 'ConsoleLogin',
      responseElements: { ConsoleLogin: 'Failure' },
      additionalEventData: { MFAUsed: 'No', LoginTo: 'https://console.aws.amazon.com' },
      sourceIPAddress: 'signin.amazonaws.com',
    };
    expect(await converted('CloudTrail', { ...trail, ...login })).toMatchObject({
      class_uid: 3002,
      type_name: 'Authentication: Logon',
      status: 'Failure',
      is_mfa: false,
      src_endpoint: { domain: 'signin.amazonaws.com' },
    });
    const challenge = { eventSource: 'signin.amazonaws.com', eventName: 'CredentialChallenge' };
    expect(await converted('CloudTrail', { ...trail, ...challenge })).toMatchObject({
      activity_id: 99,
      activity_name: 'CredentialChallenge',
      type_name: 'Authentication: Other',
      type_uid: 300299,
    });
    const failed = { errorCode: 'AccessDenied', errorMessage: 'no' };
    expect(await converted('CloudTrail', { ...trail, ...failed })).toMatchObject({
      status: 'Failure',
      api: { response: { error: 'AccessDenied', message: 'no' } },
    });
  });

  it('audit logs of EKS', async () => {
    const event = await converted('EKSAudit', {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'f47c68f2',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/nodes',
      verb: 'create',
      user: { username: 'system:node:x', uid: 'heptio:1', groups: ['system:nodes'], extra: { sessionName: ['i-1'] } },
      sourceIPs: ['12.0.22.33', '10.0.0.1'],
      userAgent: 'kubelet/v1.21.2',
      objectRef: { resource: 'nodes', name: 'x', apiVersion: 'v1' },
      responseStatus: { code: 201 },
      requestObject: { kind: 'Node' },
      requestReceivedTimestamp: '2021-09-07T20:37:30.502000Z',
      stageTimestamp: '2021-09-07T20:37:30.642000Z',
    });
    expect(event).toMatchObject({
      type_name: 'API Activity: Create',
      type_uid: 600301,
      actor: {
        session: { uid: 'i-1' },
        user: { groups: [{ name: 'system:nodes' }], name: 'system:node:x', type_id: 0 },
      },
      api: { operation: 'create', request: { data: '{"kind":"Node"}', uid: 'f47c68f2' }, response: { code: 201 } },
      http_request: { url: { path: '/api/v1/nodes' } },
      message: 'ResponseComplete',
      metadata: { log_level: 'RequestResponse', log_name: 'Event' },
      resources: [{ name: 'x', type: 'nodes' }],
      src_endpoint: { ip: '12.0.22.33', intermediate_ips: ['10.0.0.1'] },
      time: 1631047050642,
    });
  });

  it('stores converted events of a group, and rejects invalid configurations', async () => {
    const group = await test.group('trail', 's');
    const parseToOCSF = { eventSource: 'CloudTrail', ocsfVersion: 'V1.5', mappingVersion: '1.5.0' } as const;
    await test.logs.putTransformer({ logGroupIdentifier: group, transformerConfig: [{ parseToOCSF }] });
    await test.put(group, 's', JSON.stringify(trail));
    const { queryId } = await test.logs.startQuery({
      logGroupName: group,
      startTime: Math.floor(test.now / 1000) - 60,
      endTime: Math.floor(test.now / 1000),
      queryString: 'fields class_uid, actor.user.name | display class_uid, actor.user.name',
    });
    await expect.poll(async () => (await test.logs.getQueryResults({ queryId })).status).toBe('Complete');
    const { results } = await test.logs.getQueryResults({ queryId });
    expect(results![0]!.slice(0, 2)).toEqual([
      { field: 'class_uid', value: '6003' },
      { field: 'actor.user.name', value: 'Level6' },
    ]);
    const put = (config: ParseToOCSF) =>
      failureOf(test.logs.putTransformer({ logGroupIdentifier: group, transformerConfig: [{ parseToOCSF: config }] }));
    expect(await put({ ...parseToOCSF, ocsfVersion: 'V1.1' })).toBe(
      'InvalidParameterException: mappingVersion is not supported for the OCSF version V1.1.',
    );
    expect(await put({ ...parseToOCSF, mappingVersion: '9.9' })).toBe(
      'InvalidParameterException: The mapping version 9.9 is not supported.',
    );
  });
});
