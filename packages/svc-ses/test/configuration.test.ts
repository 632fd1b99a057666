import type { SesEmail } from '@emu/control-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, BUS, failureOf, REGION, ROLE, type SesTest, STREAM, startSes, TOPIC } from './support.ts';

let t: SesTest;
beforeAll(async () => {
  t = await startSes();
  await t.ses.verifyDomainIdentity({ Domain: 'example.com' });
});
afterAll(() => t[Symbol.asyncDispose]());

const ConfigurationSetName = 'set';
const bare = <T extends object>({ $metadata: _, ...answer }: T & { $metadata?: unknown }) => answer;

describe('configuration sets', () => {
  test('are created in one version and visible in the other', async () => {
    const { ses, v2 } = t;
    await ses.createConfigurationSet({ ConfigurationSet: { Name: ConfigurationSetName } });
    expect(await failureOf(ses.createConfigurationSet({ ConfigurationSet: { Name: ConfigurationSetName } }))).toBe(
      'ConfigurationSetAlreadyExistsException: Configuration set <set> already exists.',
    );
    expect(await failureOf(v2.createConfigurationSet({ ConfigurationSetName }))).toBe(
      'AlreadyExistsException: Configuration set <set> already exists.',
    );
    expect((await v2.listConfigurationSets({})).ConfigurationSets).toEqual([ConfigurationSetName]);
    expect((await ses.listConfigurationSets({})).ConfigurationSets).toEqual([{ Name: ConfigurationSetName }]);
    expect(await failureOf(ses.describeConfigurationSet({ ConfigurationSetName: 'no' }))).toBe(
      'ConfigurationSetDoesNotExistException: Configuration set <no> does not exist.',
    );
  });

  test('have options', async () => {
    const { ses, v2 } = t;
    await v2.createDedicatedIpPool({ PoolName: 'pool' });
    await v2.putConfigurationSetDeliveryOptions({
      ConfigurationSetName,
      TlsPolicy: 'REQUIRE',
      SendingPoolName: 'pool',
      MaxDeliverySeconds: 600,
    });
    await v2.putConfigurationSetReputationOptions({ ConfigurationSetName, ReputationMetricsEnabled: true });
    await v2.putConfigurationSetSendingOptions({ ConfigurationSetName, SendingEnabled: false });
    await v2.putConfigurationSetSuppressionOptions({ ConfigurationSetName, SuppressedReasons: ['COMPLAINT'] });
    await v2.putConfigurationSetTrackingOptions({
      ConfigurationSetName,
      CustomRedirectDomain: 'example.com',
      HttpsPolicy: 'OPTIONAL',
    });
    await v2.putConfigurationSetVdmOptions({
      ConfigurationSetName,
      VdmOptions: { GuardianOptions: { OptimizedSharedDelivery: 'ENABLED' } },
    });
    expect(bare(await v2.getConfigurationSet({ ConfigurationSetName }))).toEqual({
      ConfigurationSetName,
      DeliveryOptions: { TlsPolicy: 'REQUIRE', SendingPoolName: 'pool', MaxDeliverySeconds: 600 },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SendingOptions: { SendingEnabled: false },
      SuppressionOptions: { SuppressedReasons: ['COMPLAINT'] },
      Tags: [],
      TrackingOptions: { CustomRedirectDomain: 'example.com', HttpsPolicy: 'OPTIONAL' },
      VdmOptions: { GuardianOptions: { OptimizedSharedDelivery: 'ENABLED' } },
    });
    expect(
      await failureOf(v2.putConfigurationSetDeliveryOptions({ ConfigurationSetName, SendingPoolName: 'no' })),
    ).toBe('NotFoundException: Dedicated IP pool <no> does not exist.');
    expect(
      await failureOf(
        v2.putConfigurationSetTrackingOptions({ ConfigurationSetName, CustomRedirectDomain: 'evil.example' }),
      ),
    ).toMatch(/^BadRequestException: Custom redirect domain/);
    expect(await failureOf(v2.deleteDedicatedIpPool({ PoolName: 'pool' }))).toMatch(/^BadRequestException/);
    await ses.updateConfigurationSetSendingEnabled({ ConfigurationSetName, Enabled: true });
    await ses.updateConfigurationSetReputationMetricsEnabled({ ConfigurationSetName, Enabled: false });
    // The Terraform provider plans no change of a set without them (TestAccSESConfigurationSet_basic).
    await ses.createConfigurationSet({ ConfigurationSet: { Name: 'bare' } });
    const options = { ConfigurationSetName: 'bare', ConfigurationSetAttributeNames: ['deliveryOptions' as const] };
    expect(bare(await ses.describeConfigurationSet(options))).toEqual({ ConfigurationSet: { Name: 'bare' } });
    await ses.deleteConfigurationSet({ ConfigurationSetName: 'bare' });
    await ses.putConfigurationSetDeliveryOptions({ ConfigurationSetName, DeliveryOptions: { TlsPolicy: 'Optional' } });
    expect(
      await failureOf(
        ses.createConfigurationSetTrackingOptions({
          ConfigurationSetName,
          TrackingOptions: { CustomRedirectDomain: 'example.com' },
        }),
      ),
    ).toMatch(/^TrackingOptionsAlreadyExistsException/);
    await ses.updateConfigurationSetTrackingOptions({
      ConfigurationSetName,
      TrackingOptions: { CustomRedirectDomain: 'a.example.com' },
    });
    const described = await ses.describeConfigurationSet({
      ConfigurationSetName,
      ConfigurationSetAttributeNames: ['trackingOptions', 'deliveryOptions', 'reputationOptions'],
    });
    expect(bare(described)).toEqual({
      ConfigurationSet: { Name: ConfigurationSetName },
      TrackingOptions: { CustomRedirectDomain: 'a.example.com' },
      DeliveryOptions: { TlsPolicy: 'Optional' },
      ReputationOptions: {
        SendingEnabled: true,
        ReputationMetricsEnabled: false,
        LastFreshStart: new Date('2026-01-01T00:00:00Z'),
      },
    });
    await ses.deleteConfigurationSetTrackingOptions({ ConfigurationSetName });
    expect(await failureOf(ses.deleteConfigurationSetTrackingOptions({ ConfigurationSetName }))).toMatch(
      /^TrackingOptionsDoesNotExistException/,
    );
    await ses.createConfigurationSetTrackingOptions({
      ConfigurationSetName,
      TrackingOptions: { CustomRedirectDomain: 'example.com' },
    });
  });

  test('have destinations', async () => {
    const { ses, v2 } = t;
    const put = (EventDestinationName: string, EventDestination: object) =>
      v2.createConfigurationSetEventDestination({
        ConfigurationSetName,
        EventDestinationName,
        EventDestination: { Enabled: true, MatchingEventTypes: ['SEND'], ...EventDestination },
      });
    await put('firehose', { KinesisFirehoseDestination: { IamRoleArn: ROLE, DeliveryStreamArn: STREAM } });
    await put('bus', { EventBridgeDestination: { EventBusArn: BUS } });
    const DimensionConfigurations = [
      { DimensionName: 'ses:from-domain', DimensionValueSource: 'MESSAGE_TAG' as const, DefaultDimensionValue: 'none' },
    ];
    await put('metrics', { CloudWatchDestination: { DimensionConfigurations } });
    await put('pinpoint', {
      PinpointDestination: { ApplicationArn: `arn:aws:mobiletargeting:${REGION}:${ACCOUNT}:apps/a` },
    });
    await ses.createConfigurationSetEventDestination({
      ConfigurationSetName,
      EventDestination: {
        Name: 'topic',
        Enabled: true,
        MatchingEventTypes: ['send', 'bounce', 'click', 'delivery', 'open'],
        SNSDestination: { TopicARN: TOPIC },
      },
    });
    // The message to a new destination's topic is recorded.
    expect(t.calls.at(-1)!.input.Message).toBe('Successfully validated SNS topic for Amazon SES event publishing.');
    const { EventDestinations } = await ses.describeConfigurationSet({
      ConfigurationSetName,
      ConfigurationSetAttributeNames: ['eventDestinations'],
    });
    expect(EventDestinations!.find(({ Name }) => Name === 'topic')).toEqual({
      Enabled: true,
      MatchingEventTypes: ['bounce', 'click', 'delivery', 'open', 'send'],
      Name: 'topic',
      SNSDestination: { TopicARN: TOPIC },
    });
    expect(await failureOf(put('topic', { SnsDestination: { TopicArn: TOPIC } }))).toMatch(/^AlreadyExistsException/);
    // Recorded, like the errors of deletion below.
    const missing = `${TOPIC}-missing`;
    expect(
      await failureOf(
        ses.createConfigurationSetEventDestination({
          ConfigurationSetName,
          EventDestination: { Name: 'x', MatchingEventTypes: ['send'], SNSDestination: { TopicARN: missing } },
        }),
      ),
    ).toBe(`InvalidSNSDestinationException: SNS topic <${missing}> not found.`);
    expect(
      await failureOf(
        put('x', { KinesisFirehoseDestination: { IamRoleArn: ROLE, DeliveryStreamArn: `${STREAM}-missing` } }),
      ),
    ).toMatch(/^BadRequestException: Could not find delivery stream/);
    expect(await failureOf(put('x', {}))).toBe('BadRequestException: An event destination has exactly one target.');
    expect(await failureOf(put('x', { EventBridgeDestination: { EventBusArn: `${BUS}s` } }))).toBe(
      'BadRequestException: Only the default event bus is supported.',
    );
    t.calls.length = 0;
    await ses.sendEmail({
      Source: 'ann@example.com',
      ConfigurationSetName,
      Destination: { ToAddresses: ['to@example.org'] },
      Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
    });
    const calls = t.calls.map(({ service, principal }) => `${service} ${principal}`);
    expect(calls).toEqual([
      `firehose arn:aws:sts::${ACCOUNT}:assumed-role/ses/ses`,
      'events ses.amazonaws.com',
      'sns ses.amazonaws.com',
      'sns ses.amazonaws.com',
    ]);
    const { Data } = (t.calls[0]!.input as { Record: { Data: Uint8Array } }).Record;
    expect(Buffer.from(Data).toString()).toMatch(/^\{"eventType":"Send".*\}\n$/);
    expect((t.calls[1]!.input as { Entries: object[] }).Entries).toMatchObject([
      { Source: 'aws.ses', DetailType: 'Email Sent' },
    ]);
    await v2.updateConfigurationSetEventDestination({
      ConfigurationSetName,
      EventDestinationName: 'bus',
      EventDestination: {
        Enabled: false,
        MatchingEventTypes: ['DELIVERY_DELAY'],
        EventBridgeDestination: { EventBusArn: BUS },
      },
    });
    await ses.updateConfigurationSetEventDestination({
      ConfigurationSetName,
      EventDestination: {
        Name: 'topic',
        Enabled: false,
        MatchingEventTypes: ['bounce'],
        SNSDestination: { TopicARN: TOPIC },
      },
    });
    const all = (await v2.getConfigurationSetEventDestinations({ ConfigurationSetName })).EventDestinations!;
    expect(all.map(({ Name, Enabled }) => `${Name} ${Enabled}`)).toEqual([
      'firehose true',
      'bus false',
      'metrics true',
      'pinpoint true',
      'topic false',
    ]);
    await v2.deleteConfigurationSetEventDestination({ ConfigurationSetName, EventDestinationName: 'bus' });
    await ses.deleteConfigurationSetEventDestination({ ConfigurationSetName, EventDestinationName: 'topic' });
    expect(
      await failureOf(
        ses.deleteConfigurationSetEventDestination({ ConfigurationSetName, EventDestinationName: 'topic' }),
      ),
    ).toBe('EventDestinationDoesNotExistException: No EventDestination found for set');
    await ses.deleteConfigurationSet({ ConfigurationSetName });
    expect(await failureOf(ses.deleteConfigurationSet({ ConfigurationSetName }))).toBe(
      'ConfigurationSetDoesNotExistException: Configuration set <set> does not exist.',
    );
    expect(await failureOf(v2.deleteConfigurationSet({ ConfigurationSetName }))).toMatch(/^NotFoundException/);
  });
});

describe('contacts', () => {
  const ContactListName = 'list';
  const topic = (TopicName: string, DefaultSubscriptionStatus: 'OPT_IN' | 'OPT_OUT') => ({
    TopicName,
    DisplayName: TopicName,
    DefaultSubscriptionStatus,
  });

  test('belong to a list', async () => {
    const { v2 } = t;
    await v2.createContactList({
      ContactListName,
      Topics: [topic('news', 'OPT_IN'), topic('ads', 'OPT_OUT')],
      Tags: [{ Key: 'a', Value: 'b' }],
    });
    expect(await failureOf(v2.createContactList({ ContactListName: 'second' }))).toBe(
      'BadRequestException: A maximum of 1 Lists allowed per account.',
    );
    const contact = { ContactListName, EmailAddress: 'Ann@example.org' };
    await v2.createContact({
      ...contact,
      TopicPreferences: [{ TopicName: 'ads', SubscriptionStatus: 'OPT_IN' }],
      AttributesData: '{"a":1}',
    });
    await v2.createContact({ ContactListName, EmailAddress: 'bob@example.org', UnsubscribeAll: true });
    expect(await failureOf(v2.createContact(contact))).toBe(
      'AlreadyExistsException: Ann@example.org already exists in List.',
    );
    expect(
      await failureOf(
        v2.createContact({
          ContactListName,
          EmailAddress: 'c@d.example',
          TopicPreferences: [{ TopicName: 'no', SubscriptionStatus: 'OPT_IN' }],
        }),
      ),
    ).toBe("BadRequestException: List: list doesn't contain Topic: no");
    expect(await v2.getContact({ ...contact, EmailAddress: 'ann@example.org' })).toMatchObject({
      EmailAddress: 'Ann@example.org',
      TopicPreferences: [{ TopicName: 'ads', SubscriptionStatus: 'OPT_IN' }],
      TopicDefaultPreferences: [{ TopicName: 'news', SubscriptionStatus: 'OPT_IN' }],
      AttributesData: '{"a":1}',
      UnsubscribeAll: false,
    });
    await v2.updateContact({ ...contact, TopicPreferences: [{ TopicName: 'news', SubscriptionStatus: 'OPT_OUT' }] });
    expect((await v2.getContact(contact)).AttributesData).toBeUndefined();
    const list = async (Filter: object) =>
      (await v2.listContacts({ ContactListName, Filter })).Contacts!.map((one) => one.EmailAddress);
    expect(await list({})).toEqual(['Ann@example.org', 'bob@example.org']);
    expect(await list({ FilteredStatus: 'OPT_OUT' })).toEqual(['bob@example.org']);
    expect(await list({ FilteredStatus: 'OPT_IN', TopicFilter: { TopicName: 'ads' } })).toEqual(['Ann@example.org']);
    expect(await list({ FilteredStatus: 'OPT_OUT', TopicFilter: { TopicName: 'news' } })).toEqual([
      'Ann@example.org',
      'bob@example.org',
    ]);
    await v2.updateContactList({ ContactListName, Description: 'd' });
    expect(await v2.getContactList({ ContactListName })).toMatchObject({
      Description: 'd',
      Tags: [{ Key: 'a', Value: 'b' }],
    });
    expect((await v2.listContactLists({})).ContactLists).toHaveLength(1);
    await v2.deleteContact(contact);
    expect(await failureOf(v2.deleteContact(contact))).toBe(
      "NotFoundException: Ann@example.org doesn't exist in List.",
    );
  });

  // https://github.com/floci-io/floci/pull/1638, https://github.com/floci-io/floci/pull/1723
  test('are refused in the words of AWS', async () => {
    const { v2 } = t;
    const FORM =
      'can contain up to 64 characters. Only alphanumeric characters, underscores(_) and hyphens(-) are allowed.';
    const one = topic('one', 'OPT_IN');
    for (const [Topics, more, message] of [
      [[one], { ContactListName: 'a b' }, `ContactListName ${FORM}`],
      [[one], { ContactListName: ' ' }, "ContactListName can't be blank."],
      [[topic('a.b', 'OPT_IN')], {}, `TopicName ${FORM}`],
      [[one, one], {}, 'Duplicate topic names are not allowed within a List.'],
      [[{ ...one, DisplayName: 'x'.repeat(129) }], {}, 'Topic DisplayName can contain up to <128> characters.'],
      [
        Array.from({ length: 21 }, (_, index) => topic(`t${index}`, 'OPT_IN')),
        {},
        'Maximum of <20> topics allowed per ContactList',
      ],
      [[one], { Description: 'x'.repeat(501) }, 'List description can contain up to 500 characters.'],
    ] as const) {
      const list = { ContactListName, ...more, Topics: [...Topics] };
      expect(await failureOf(v2.createContactList(list))).toBe(`BadRequestException: ${message}`);
      expect(await failureOf(v2.updateContactList(list))).toBe(`BadRequestException: ${message}`);
    }
    const contact = (EmailAddress: string) => ({ ContactListName: 'none', EmailAddress });
    for (const [address, message] of [
      [' ', "BadRequestException: EmailAddress can't be blank."],
      ['no', 'BadRequestException: EmailAddress <no> is invalid'],
      ['a@b.example', "NotFoundException: List with name: none doesn't exist."],
    ] as const) {
      expect(await failureOf(v2.createContact(contact(address)))).toBe(message);
      expect(await failureOf(v2.getContact(contact(address)))).toBe(message);
      expect(await failureOf(v2.updateContact(contact(address)))).toBe(message);
      expect(await failureOf(v2.deleteContact(contact(address)))).toBe(message);
    }
    const preference = { TopicName: 'news', SubscriptionStatus: 'MAYBE' as never };
    expect(await failureOf(v2.createContact({ ...contact('a@b.example'), TopicPreferences: [preference] }))).toContain(
      "1 validation error detected: Value at 'topicPreferences.1.member.subscriptionStatus' failed to satisfy constraint",
    );
  });

  test('unsubscribe by the link in their mail', async () => {
    const { v2 } = t;
    const send = (TopicName: string) =>
      v2.sendEmail({
        FromEmailAddress: 'ann@example.com',
        Destination: { ToAddresses: ['new@example.org'] },
        ListManagementOptions: { ContactListName, TopicName },
        Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 'Stop: {{amazonSESUnsubscribeUrl}}' } } } },
      });
    const { MessageId } = await send('news');
    const { emails } = await t.get<{
      emails: { messageId: string; textBody: string; headers: { name: string; value: string }[] }[];
    }>('/emails');
    const mail = emails.find((one) => one.messageId === MessageId)!;
    const link = /http\S+/.exec(mail.textBody)![0];
    expect(mail.headers).toContainEqual({ name: 'List-Unsubscribe', value: `<${link}>` });
    expect((await t.open(link, 'POST')).status).toBe(200);
    expect((await v2.getContact({ ContactListName, EmailAddress: 'new@example.org' })).TopicPreferences).toEqual([
      { TopicName: 'news', SubscriptionStatus: 'OPT_OUT' },
    ]);
    const again = await send('news');
    const insights = await v2.getMessageInsights({ MessageId: again.MessageId });
    expect(insights.Insights![0]!.Events!.map(({ Type }) => Type)).toEqual(['SEND', 'BOUNCE']);
    await expect(send('no')).rejects.toThrow("Topic no doesn't exist in list list.");
  });

  test('unsubscribe by the link in a raw mail', async () => {
    const raw = [
      'From: ann@example.com',
      'To: raw@example.org',
      `X-SES-LIST-MANAGEMENT-OPTIONS: ${ContactListName}; topic=news`,
      'Subject: s',
      '',
      'Stop: {{amazonSESUnsubscribeUrl}}',
      '',
    ].join('\r\n');
    const { MessageId } = await t.v2.sendEmail({ Content: { Raw: { Data: Buffer.from(raw) } } });
    const { emails } = await t.get<{ emails: SesEmail[] }>('/emails');
    const mail = emails.find((one) => one.messageId === MessageId)!;
    const link = /http\S+/.exec(mail.textBody!)![0];
    expect(mail.headers).toContainEqual({ name: 'List-Unsubscribe', value: `<${link}>` });
    expect((await t.open(link, 'POST')).status).toBe(200);
    const { TopicPreferences } = await t.v2.getContact({ ContactListName, EmailAddress: 'raw@example.org' });
    expect(TopicPreferences).toEqual([{ TopicName: 'news', SubscriptionStatus: 'OPT_OUT' }]);
  });

  test('are imported, like suppressed addresses', async () => {
    const { v2 } = t;
    t.objects.set(
      'contacts.csv',
      'emailAddress,unsubscribeAll,topicPreferences.news\ncsv@example.org,false,OPT_IN\nnobody,true,\n',
    );
    t.objects.set('gone.json', '{"emailAddress":"gone@example.org","reason":"BOUNCE"}\n{"emailAddress":"x"}\n');
    const ends = (JobId: string | undefined) =>
      expect.poll(async () => (await v2.getImportJob({ JobId })).JobStatus, { timeout: 5000 }).toBe('COMPLETED');
    const contacts = await v2.createImportJob({
      ImportDestination: { ContactListDestination: { ContactListName, ContactListImportAction: 'PUT' } },
      ImportDataSource: { S3Url: 's3://bucket/contacts.csv', DataFormat: 'CSV' },
    });
    await ends(contacts.JobId);
    expect(await v2.getImportJob({ JobId: contacts.JobId })).toMatchObject({
      ProcessedRecordsCount: 2,
      FailedRecordsCount: 1,
    });
    expect((await v2.getContact({ ContactListName, EmailAddress: 'csv@example.org' })).TopicPreferences).toEqual([
      { TopicName: 'news', SubscriptionStatus: 'OPT_IN' },
    ]);
    const suppressed = await v2.createImportJob({
      ImportDestination: { SuppressionListDestination: { SuppressionListImportAction: 'PUT' } },
      ImportDataSource: { S3Url: 's3://bucket/gone.json', DataFormat: 'JSON' },
    });
    await ends(suppressed.JobId);
    expect(
      (await v2.getSuppressedDestination({ EmailAddress: 'gone@example.org' })).SuppressedDestination!.Reason,
    ).toBe('BOUNCE');
    const failed = await v2.createImportJob({
      ImportDestination: { SuppressionListDestination: { SuppressionListImportAction: 'PUT' } },
      ImportDataSource: { S3Url: 's3://missing/x', DataFormat: 'JSON' },
    });
    await expect
      .poll(async () => (await v2.getImportJob({ JobId: failed.JobId })).FailureInfo?.ErrorMessage, { timeout: 5000 })
      .toBe('There is none.');
    expect((await v2.listImportJobs({ ImportDestinationType: 'CONTACT_LIST' })).ImportJobs).toMatchObject([
      { JobId: contacts.JobId },
    ]);
    expect(await failureOf(v2.getImportJob({ JobId: 'no' }))).toMatch(/^NotFoundException/);
    expect(
      await failureOf(
        v2.createImportJob({ ImportDestination: {}, ImportDataSource: { S3Url: 's3://b/k', DataFormat: 'CSV' } }),
      ),
    ).toBe('BadRequestException: An import has exactly one destination.');
    await v2.deleteContactList({ ContactListName });
    expect(await failureOf(v2.getContactList({ ContactListName }))).toBe(
      "NotFoundException: List with name: list doesn't exist.",
    );
  });
});

describe('sending infrastructure', () => {
  test('pools', async () => {
    const { v2 } = t;
    const PoolName = 'mine';
    await v2.createDedicatedIpPool({ PoolName, Tags: [{ Key: 'a', Value: 'b' }] });
    expect(await failureOf(v2.createDedicatedIpPool({ PoolName }))).toMatch(/^AlreadyExistsException/);
    await v2.putDedicatedIpPoolScalingAttributes({ PoolName, ScalingMode: 'MANAGED' });
    expect((await v2.getDedicatedIpPool({ PoolName })).DedicatedIpPool).toEqual({ PoolName, ScalingMode: 'MANAGED' });
    expect(await failureOf(v2.putDedicatedIpPoolScalingAttributes({ PoolName, ScalingMode: 'STANDARD' }))).toMatch(
      /^BadRequestException/,
    );
    expect((await v2.listDedicatedIpPools({})).DedicatedIpPools).toContain(PoolName);
    await v2.deleteDedicatedIpPool({ PoolName });
    expect(await failureOf(v2.getDedicatedIpPool({ PoolName }))).toMatch(/^NotFoundException/);
  });

  test('rejects dedicated addresses', async () => {
    const { v2 } = t;
    const PoolName = 'empty';
    const Ip = '192.0.2.1';
    await v2.createDedicatedIpPool({ PoolName });
    expect((await v2.getDedicatedIps({})).DedicatedIps).toEqual([]);
    expect((await v2.getDedicatedIps({ PoolName })).DedicatedIps).toEqual([]);
    const noPool = 'NotFoundException: Dedicated IP pool <no> does not exist.';
    expect(await failureOf(v2.getDedicatedIps({ PoolName: 'no' }))).toBe(noPool);
    expect(await failureOf(v2.putDedicatedIpInPool({ Ip, DestinationPoolName: 'no' }))).toBe(noPool);
    const noAddress = 'NotFoundException: Dedicated IP <192.0.2.1> does not exist.';
    expect(await failureOf(v2.getDedicatedIp({ Ip }))).toBe(noAddress);
    expect(await failureOf(v2.putDedicatedIpInPool({ Ip, DestinationPoolName: PoolName }))).toBe(noAddress);
    expect(await failureOf(v2.putDedicatedIpWarmupAttributes({ Ip, WarmupPercentage: 50 }))).toBe(noAddress);
    expect(await failureOf(v2.getBlacklistReports({ BlacklistItemNames: [Ip] }))).toBe(noAddress);
    expect(await failureOf(v2.putDedicatedIpWarmupAttributes({ Ip, WarmupPercentage: 101 }))).toBe(
      'BadRequestException: WarmupPercentage must be between 0 and 100.',
    );
    expect(await failureOf(v2.getDedicatedIp({ Ip: 'localhost' }))).toBe(
      'BadRequestException: Invalid IP address <localhost>.',
    );
  });

  test('multi-region endpoints', async () => {
    const { v2 } = t;
    const EndpointName = 'global';
    const { EndpointId } = await v2.createMultiRegionEndpoint({
      EndpointName,
      Details: { RoutesDetails: [{ Region: 'us-west-2' }] },
    });
    expect(await v2.getMultiRegionEndpoint({ EndpointName })).toMatchObject({
      EndpointId,
      Status: 'READY',
      Routes: [{ Region: REGION }, { Region: 'us-west-2' }],
    });
    expect((await v2.listMultiRegionEndpoints({})).MultiRegionEndpoints).toMatchObject([
      { EndpointName, Regions: [REGION, 'us-west-2'] },
    ]);
    expect(
      await failureOf(v2.createMultiRegionEndpoint({ EndpointName, Details: { RoutesDetails: [{ Region: 'x' }] } })),
    ).toMatch(/^AlreadyExists/);
    expect((await v2.deleteMultiRegionEndpoint({ EndpointName })).Status).toBe('DELETING');
    expect(await failureOf(v2.getMultiRegionEndpoint({ EndpointName }))).toMatch(/^NotFoundException/);
  });

  test('tenants with their resources', async () => {
    const { v2 } = t;
    const TenantName = 'shop';
    const ResourceArn = `arn:aws:ses:${REGION}:${ACCOUNT}:identity/example.com`;
    const { TenantArn } = await v2.createTenant({ TenantName });
    expect(await failureOf(v2.createTenant({ TenantName }))).toMatch(/^AlreadyExistsException/);
    const send = () =>
      v2.sendEmail({
        TenantName,
        FromEmailAddress: 'ann@example.com',
        Destination: { ToAddresses: ['to@example.org'] },
        Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
      });
    await expect(send()).rejects.toThrow('Resource identity/example.com is not associated with tenant <shop>.');
    await v2.createTenantResourceAssociation({ TenantName, ResourceArn });
    expect(await failureOf(v2.createTenantResourceAssociation({ TenantName, ResourceArn }))).toMatch(
      /^AlreadyExistsException/,
    );
    expect(await failureOf(v2.createTenantResourceAssociation({ TenantName, ResourceArn: `${ResourceArn}x` }))).toMatch(
      /^NotFoundException/,
    );
    await send();
    expect((await v2.listTenantResources({ TenantName })).TenantResources).toEqual([
      { ResourceType: 'EMAIL_IDENTITY', ResourceArn },
    ]);
    expect(
      (await v2.listTenantResources({ TenantName, Filter: { RESOURCE_TYPE: 'EMAIL_TEMPLATE' } })).TenantResources,
    ).toEqual([]);
    expect((await v2.listResourceTenants({ ResourceArn })).ResourceTenants).toMatchObject([{ TenantName }]);
    const entity = { ReputationEntityType: 'RESOURCE' as const, ReputationEntityReference: TenantArn! };
    await v2.updateReputationEntityCustomerManagedStatus({ ...entity, SendingStatus: 'DISABLED' });
    await v2.updateReputationEntityPolicy({
      ...entity,
      ReputationEntityPolicy: `arn:aws:ses:${REGION}:aws:reputation-policy/strict`,
    });
    expect((await v2.getReputationEntity(entity)).ReputationEntity).toMatchObject({
      SendingStatusAggregate: 'DISABLED',
      CustomerManagedStatus: { Status: 'DISABLED' },
    });
    expect((await v2.listReputationEntities({ Filter: { SENDING_STATUS: 'ENABLED' } })).ReputationEntities).toEqual([]);
    expect(await failureOf(v2.updateReputationEntityPolicy({ ...entity, ReputationEntityPolicy: 'no' }))).toMatch(
      /^BadRequestException/,
    );
    expect((await v2.getTenant({ TenantName })).Tenant!.SendingStatus).toBe('DISABLED');
    await expect(send()).rejects.toThrow('Sending is disabled for tenant <shop>.');
    await v2.deleteTenantResourceAssociation({ TenantName, ResourceArn });
    expect((await v2.listTenants({})).Tenants).toHaveLength(1);
    await v2.deleteTenant({ TenantName });
    expect(await failureOf(v2.getReputationEntity(entity))).toMatch(/^NotFoundException/);
    expect(await failureOf(v2.getTenant({ TenantName }))).toBe('NotFoundException: Tenant <shop> does not exist.');
  });

  test('tags and account settings', async () => {
    const { v2 } = t;
    const ResourceArn = `arn:aws:ses:${REGION}:${ACCOUNT}:identity/example.com`;
    await v2.tagResource({
      ResourceArn,
      Tags: [
        { Key: 'a', Value: '1' },
        { Key: 'b', Value: '2' },
      ],
    });
    await v2.untagResource({ ResourceArn, TagKeys: ['a'] });
    expect((await v2.listTagsForResource({ ResourceArn })).Tags).toEqual([{ Key: 'b', Value: '2' }]);
    // As Terraform's provider asks with skip_requesting_account_id.
    const without = ResourceArn.replace(ACCOUNT, '');
    expect((await v2.listTagsForResource({ ResourceArn: without })).Tags).toEqual([{ Key: 'b', Value: '2' }]);
    expect(await failureOf(v2.tagResource({ ResourceArn: `${ResourceArn}x`, Tags: [] }))).toMatch(/^NotFoundException/);
    await v2.putAccountDedicatedIpWarmupAttributes({ AutoWarmupEnabled: false });
    await v2.putAccountSendingAttributes({ SendingEnabled: false });
    await v2.putAccountVdmAttributes({ VdmAttributes: { VdmEnabled: 'ENABLED' } });
    expect(await v2.getAccount({})).toMatchObject({
      DedicatedIpAutoWarmupEnabled: false,
      SendingEnabled: false,
      VdmAttributes: { VdmEnabled: 'ENABLED' },
    });
    await v2.putDeliverabilityDashboardOption({
      DashboardEnabled: true,
      SubscribedDomains: [{ Domain: 'example.com' }],
    });
    expect(await v2.getDeliverabilityDashboardOptions({})).toMatchObject({
      DashboardEnabled: true,
      AccountStatus: 'ACTIVE',
      ActiveSubscribedDomains: [{ Domain: 'example.com' }],
    });
  });

  test('rejects Mail Manager archives', async () => {
    const ConfigurationSetName = 'archived';
    const ArchiveArn = 'arn:aws:ses:us-east-1:123456789012:mailmanager-archive/a-0123456789abcdefghijklmn';
    const missing = `NotFoundException: Archive <${ArchiveArn}> does not exist.`;
    const ArchivingOptions = { ArchiveArn };
    expect(await failureOf(t.v2.createConfigurationSet({ ConfigurationSetName, ArchivingOptions }))).toBe(missing);
    await t.v2.createConfigurationSet({ ConfigurationSetName });
    const put = (more: object) => t.v2.putConfigurationSetArchivingOptions({ ConfigurationSetName, ...more });
    expect(await failureOf(put({ ArchiveArn }))).toBe(missing);
    expect(await failureOf(put({ ConfigurationSetName: 'none' }))).toBe(
      'NotFoundException: Configuration set <none> does not exist.',
    );
    await put({});
    expect((await t.v2.getConfigurationSet({ ConfigurationSetName })).ArchivingOptions).toBeUndefined();
  });

  test('returns known insights of addresses', async () => {
    const verdicts = async (EmailAddress: string) => {
      const { MailboxValidation } = await t.v2.getEmailAddressInsights({ EmailAddress });
      const { IsValid, Evaluations } = MailboxValidation!;
      const checks = Object.entries(Evaluations!).map(([name, verdict]) => [name, verdict!.ConfidenceVerdict]);
      return [IsValid!.ConfidenceVerdict, Object.fromEntries(checks)];
    };
    const known = { HasValidSyntax: 'HIGH', HasValidDnsRecords: 'HIGH', IsRoleAddress: 'LOW' };
    expect(await verdicts('no address')).toEqual(['LOW', { HasValidSyntax: 'LOW' }]);
    expect(await verdicts('success@simulator.amazonses.com')).toEqual(['HIGH', { ...known, MailboxExists: 'HIGH' }]);
    expect(await verdicts('bounce+a@simulator.amazonses.com')).toEqual(['LOW', { ...known, MailboxExists: 'LOW' }]);
    await t.v2.createEmailIdentity({ EmailIdentity: 'support@insights.org' });
    expect(await verdicts('support@insights.org')).toEqual([
      'HIGH',
      { ...known, MailboxExists: 'HIGH', IsRoleAddress: 'HIGH' },
    ]);
    await t.v2.putSuppressedDestination({ EmailAddress: 'gone@insights.org', Reason: 'BOUNCE' });
    expect(await verdicts('gone@insights.org')).toEqual([
      'LOW',
      { HasValidSyntax: 'HIGH', MailboxExists: 'LOW', IsRoleAddress: 'LOW' },
    ]);
    expect((await verdicts('ann@shop.invalid'))[0]).toBe('LOW');
    await expect(t.v2.getEmailAddressInsights({ EmailAddress: 'ann@insights.org' })).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
  });
});
