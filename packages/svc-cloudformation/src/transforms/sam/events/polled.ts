import { asString, isObject } from '@emu/wire';
import { glueSchemas, kmsKey, rds } from '../arns-data.ts';
import { eventProblem, resourceProblem } from '../errors.ts';
import { requiredText, should } from '../expect.ts';
import type { Event, FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import { defined, isIntrinsic, type Obj, objectOf, pick } from '../values.ts';
import { printed } from '../words.ts';

/** Properties with the same names in event source mappings. */
const SAME = [
  'BatchSize',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'Enabled',
  'FilterCriteria',
  'FunctionResponseTypes',
  'KmsKeyArn',
  'LoggingConfig',
  'MaximumBatchingWindowInSeconds',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'MetricsConfig',
  'ParallelizationFactor',
  'ProvisionedPollerConfig',
  'Queues',
  'ScalingConfig',
  'SourceAccessConfigurations',
  'StartingPosition',
  'StartingPositionTimestamp',
  'Topics',
  'TumblingWindowInSeconds',
];

/** Property that names the source, and AWS managed policy to read from it. */
const SOURCES: Readonly<Record<string, { source?: string; managed?: string; needs?: readonly string[] }>> = {
  DocumentDB: { source: 'Cluster' },
  DynamoDB: { source: 'Stream', managed: 'AWSLambdaDynamoDBExecutionRole', needs: ['StartingPosition'] },
  Kinesis: { source: 'Stream', managed: 'AWSLambdaKinesisExecutionRole', needs: ['StartingPosition'] },
  MQ: { source: 'Broker' },
  MSK: { source: 'Stream', managed: 'AWSLambdaMSKExecutionRole', needs: ['StartingPosition'] },
  SelfManagedKafka: {},
  SQS: { source: 'Queue', managed: 'AWSLambdaSQSQueueExecutionRole' },
};

/** Whether Lambda polls the source of such events. */
export const isPolled = (type: string): boolean => Object.hasOwn(SOURCES, type);

const NETWORK = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeVpcs',
  'ec2:DescribeSubnets',
  'ec2:DescribeSecurityGroups',
];

/** Statement that permits sending failures to a destination. */
const FAILURE_STATEMENTS: Readonly<Record<string, (arn: unknown) => Obj[]>> = {
  SQS: (arn) => [allowOne('sqs:SendMessage', arn)],
  SNS: (arn) => [allowOne('sns:publish', arn)],
  S3: (arn) => [allowOne('s3:PutObject', { 'Fn::Join': ['/', [arn, '*']] }), allowOne('s3:ListBucket', arn)],
};

/**
 * Adds an event source mapping, and the permissions it needs to the function's role.
 * @throws SamProblem
 */
export function addPolled({ id, name, type, properties }: Event, target: FunctionTarget, to: Translation): void {
  const { source, managed, needs = [] } = SOURCES[type]!;
  const missing = [...(source === undefined ? [] : [source]), ...needs].find(
    (property) => properties[property] === undefined,
  );
  if (missing !== undefined) throw resourceProblem(id, `Missing required property '${missing}'.`);
  checkPolled(id, name, type, properties);
  if (managed !== undefined) target.managed.push(to.managed(`service-role/${managed}`));
  const access = accessOf(name, type, properties);
  const mapping: Obj = {
    ...pick(properties, SAME),
    FunctionName: target.name,
    EventSourceArn: source && properties[source],
    ...special(name, type, properties),
  };
  mapping.DestinationConfig = destination(id, properties, target);
  to.add(id, 'AWS::Lambda::EventSourceMapping', mapping, target.attributes);
  const policy = policyOf(id, type, properties, access);
  if (policy) target.inline.push(policy);
}

const REGISTRY = ['SchemaRegistryURI', 'EventRecordFormat', 'SchemaValidationConfigs'];

/** @throws SamProblem for invalid properties common to all sources */
function checkPolled(id: string, name: string, type: string, properties: Obj): void {
  const {
    FilterCriteria: filter,
    ConsumerGroupId,
    SchemaRegistryConfig: registry,
    SecretsManagerKmsKeyId,
  } = properties;
  const { DestinationConfig: config } = properties;
  if (isObject(filter) && !isIntrinsic(filter) && Object.keys(filter).some((member) => member !== 'Filters'))
    throw eventProblem(name, 'FilterCriteria field has a wrong format');
  const isKafka = type === 'MSK' || type === 'SelfManagedKafka';
  if (ConsumerGroupId && !isKafka)
    throw eventProblem(id, `Property ConsumerGroupId not defined for resource of type ${type}.`);
  if (isObject(registry) && isKafka)
    for (const member of REGISTRY)
      if (!registry[member]) throw eventProblem(name, `Missing required field ${member} in SchemaRegistryConfig`);
  if (SecretsManagerKmsKeyId)
    requiredText(SecretsManagerKmsKeyId, 'SecretsManagerKmsKeyId', (problem) => eventProblem(name, problem));
  const destinations = isIntrinsic(config) ? {} : objectOf(config);
  if (Object.keys(destinations).length && !isObject(destinations.OnFailure))
    throw eventProblem(id, should('DestinationConfig.OnFailure', 'map'));
}

/** Returns the settings that depend on the source type. */
function special(name: string, type: string, properties: Obj): Obj {
  const { ConsumerGroupId, SchemaRegistryConfig, KafkaBootstrapServers, DatabaseName, CollectionName, FullDocument } =
    properties;
  const kafka = defined({ ConsumerGroupId, SchemaRegistryConfig });
  const hasKafka = Object.keys(kafka).length > 0;
  if (type === 'MSK') return { AmazonManagedKafkaEventSourceConfig: hasKafka ? kafka : undefined };
  if (type === 'DocumentDB')
    return { DocumentDBEventSourceConfig: defined({ DatabaseName, CollectionName, FullDocument }) };
  if (type !== 'SelfManagedKafka') return {};
  if (!KafkaBootstrapServers)
    throw eventProblem(name, 'No KafkaBootstrapServers provided for self managed kafka as an event source');
  const { Topics } = properties;
  if (!Topics) throw eventProblem(name, 'No Topics provided for self managed kafka as an event source');
  if (Array.isArray(Topics) && Topics.length !== 1)
    throw eventProblem(name, 'Topics for self managed kafka only supports single configuration entry.');
  return {
    SelfManagedEventSource: { Endpoints: { KafkaBootstrapServers } },
    SelfManagedKafkaEventSourceConfig: hasKafka ? kafka : undefined,
  };
}

const LABELS: Readonly<Record<string, string>> = {
  MQ: 'Amazon MQ',
  DocumentDB: 'Amazon DocumentDB',
  SelfManagedKafka: 'self managed kafka',
};

/** Returns the access configuration of the source. */
function accessOf(name: string, type: string, { SourceAccessConfigurations: given }: Obj): Obj[] {
  if (!Object.hasOwn(LABELS, type)) return [];
  if (type === 'SelfManagedKafka' && given && !Array.isArray(given))
    throw eventProblem(name, 'SourceAccessConfigurations for self managed kafka event should be a list.');
  if (!Array.isArray(given) || !given.length)
    throw eventProblem(
      name,
      `No SourceAccessConfigurations ${type === 'SelfManagedKafka' ? 'for self managed kafka event' : `for ${LABELS[type]} event`} provided.`,
    );
  const access = given.filter(isObject);
  if (type === 'SelfManagedKafka') {
    checkKafkaAccess(name, access);
    return access;
  }
  const supported = type === 'MQ' ? ['BASIC_AUTH', 'VIRTUAL_HOST'] : ['BASIC_AUTH'];
  if (access.some(({ Type }) => !supported.includes(String(Type))))
    throw eventProblem(
      name,
      `Invalid property Type specified in SourceAccessConfigurations. The supported values are: ${printed(supported)}.`,
    );
  const basic = access.filter(({ Type }) => Type === 'BASIC_AUTH');
  if (!basic.length) throw eventProblem(name, 'No BASIC_AUTH property specified in SourceAccessConfigurations.');
  if (basic.length > 1)
    throw eventProblem(name, 'Multiple BASIC_AUTH properties specified in SourceAccessConfigurations.');
  if (!basic[0]!.URI) throw eventProblem(name, 'No BASIC_AUTH URI property specified in SourceAccessConfigurations.');
  return access;
}

const MECHANISMS = ['SASL_SCRAM_256_AUTH', 'SASL_SCRAM_512_AUTH', 'BASIC_AUTH'];

/** @throws SamProblem if a self-managed cluster has contradictory access or an incomplete network configuration */
function checkKafkaAccess(name: string, access: readonly Obj[]): void {
  const has = (wanted: string) => access.some(({ Type }) => Type === wanted);
  if (has('VPC_SUBNET') !== has('VPC_SECURITY_GROUP'))
    throw eventProblem(
      name,
      'VPC_SUBNET and VPC_SECURITY_GROUP in SourceAccessConfigurations for SelfManagedKafka must be both provided.',
    );
  if (access.filter(({ Type }) => MECHANISMS.includes(String(Type))).length > 1)
    throw eventProblem(
      name,
      'Multiple auth mechanism properties specified in SourceAccessConfigurations for self managed kafka event.',
    );
}

const allowOne = (Action: string, Resource: unknown): Obj => ({ Effect: 'Allow', Action, Resource });

const allow = (Action: readonly string[], Resource: unknown): Obj => ({
  Effect: 'Allow',
  Action: [...Action],
  Resource,
});

function policyOf(id: string, type: string, properties: Obj, access: readonly Obj[]): Obj | undefined {
  const { SecretsManagerKmsKeyId: key } = properties;
  const secret = access.find(({ Type }) => Type === 'BASIC_AUTH')?.URI;
  const decrypt =
    key === undefined
      ? []
      : [
          allowOne('kms:Decrypt', {
            'Fn::Sub': kmsKey(key),
          }),
        ];
  if (type === 'MQ')
    return {
      PolicyName: properties.DynamicPolicyName ? `${id}AMQPolicy` : 'SamAutoGeneratedAMQPolicy',
      PolicyDocument: {
        Statement: [
          allow(['secretsmanager:GetSecretValue'], secret),
          allow(['mq:DescribeBroker'], properties.Broker),
          ...decrypt,
        ],
      },
    };
  if (type === 'DocumentDB') {
    const own = (text: string) => ({
      'Fn::Sub': rds(text),
    });
    return {
      PolicyName: 'SamAutoGeneratedDocumentDBPolicy',
      PolicyDocument: {
        Statement: [
          allow(['secretsmanager:GetSecretValue'], secret),
          allow(['rds:DescribeDBClusterParameters'], own('cluster-pg:*')),
          allow(['rds:DescribeDBSubnetGroups'], own('subgrp:*')),
          allow(['rds:DescribeDBClusters'], properties.Cluster),
          allow(NETWORK, '*'),
          ...decrypt.map((statement) => ({ ...statement, Action: [statement.Action] })),
        ],
      },
    };
  }
  if (type === 'MSK') return mskPolicy(properties);
  if (type !== 'SelfManagedKafka') return undefined;
  const secrets = access.filter(({ Type }) => isIntrinsic(Type) || !/^VPC_|^VIRTUAL/.test(String(Type)));
  const inNetwork = access.some(({ Type }) => Type === 'VPC_SUBNET' || Type === 'VPC_SECURITY_GROUP');
  const Statement = [
    // AWS uses the first secret in place of a certificate's secret, whatever its type.
    ...secrets
      .filter(({ URI }) => URI)
      .map(({ Type, URI }) =>
        allow(['secretsmanager:GetSecretValue'], Type === 'SERVER_ROOT_CA_CERTIFICATE' ? secrets[0]!.URI : URI),
      ),
    ...(inNetwork ? [allow(NETWORK, '*')] : []),
    ...decrypt,
    ...registryStatements(properties),
  ];
  return Statement.length
    ? { PolicyName: 'SelfManagedKafkaExecutionRolePolicy', PolicyDocument: { Version: '2012-10-17', Statement } }
    : undefined;
}

/** Returns the permissions to read record schemas from a Glue registry, or from one that a secret opens. */
function registryStatements({ SchemaRegistryConfig: config }: Obj): Obj[] {
  if (!isObject(config)) return [];
  const { SchemaRegistryURI: uri, AccessConfigs } = config;
  const text = isObject(uri) ? uri['Fn::Sub'] : uri;
  const registry = typeof text === 'string' ? /^arn:.+:glue:.*:registry\/(.+)$/.exec(text)?.[1] : undefined;
  const secrets = (Array.isArray(AccessConfigs) ? AccessConfigs : []).filter(isObject).filter(({ URI }) => URI);
  return [
    ...secrets.map(({ URI }) => allow(['secretsmanager:GetSecretValue'], URI)),
    ...(registry === undefined
      ? []
      : [allow(['glue:GetRegistry'], uri), allow(['glue:GetSchemaVersion'], [{ 'Fn::Sub': glueSchemas(registry) }])]),
  ];
}

/** Returns the permissions to read the secrets of a cluster. */
function mskPolicy(properties: Obj): Obj | undefined {
  const { SourceAccessConfigurations: given } = properties;
  const secrets = (Array.isArray(given) ? given : []).filter(isObject).filter(({ URI }) => URI !== undefined);
  const Statement = [
    ...secrets.map(({ URI }) => allow(['secretsmanager:GetSecretValue'], URI)),
    ...registryStatements(properties),
  ];
  if (!Statement.length) return undefined;
  return { PolicyName: 'MSKExecutionRolePolicy', PolicyDocument: { Statement } };
}

/** Returns the failure destination; adds the permissions to send to it to the role. */
function destination(id: string, { DestinationConfig: config }: Obj, target: FunctionTarget): unknown {
  const failure = isObject(config) ? config.OnFailure : undefined;
  if (!isObject(failure)) return config;
  const { Destination } = failure;
  const type = asString(failure.Type);
  const kind = type ?? typeOf(Destination);
  if (kind === undefined) return { OnFailure: { Destination } };
  if (kind === 'Kafka') return { OnFailure: { Destination } };
  const statements = FAILURE_STATEMENTS[kind];
  if (!statements) throw eventProblem(id, "The only valid values for 'Type' are 'SQS', 'SNS', 'S3', and 'Kafka'");
  target.inline.push({ PolicyName: `${id}${kind}Policy`, PolicyDocument: { Statement: statements(Destination) } });
  return { OnFailure: { Destination } };
}

const typeOf = (arn: unknown): string | undefined =>
  typeof arn === 'string' ? /^arn:[^:]+:(sqs|sns|s3):/.exec(arn)?.[1]?.toUpperCase() : undefined;
