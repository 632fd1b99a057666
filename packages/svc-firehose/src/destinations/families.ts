import type { DestinationDescription } from '@emu/service-types/firehose';
import { invalidArgument } from '../errors.ts';

/** Services other than S3 and HTTP endpoints, by Firehose's names. */
export type ServiceFamily =
  | 'AmazonOpenSearchServerless'
  | 'Amazonopensearchservice'
  | 'Elasticsearch'
  | 'Iceberg'
  | 'Redshift'
  | 'Snowflake'
  | 'Splunk';

/** Properties of a service's destinations. */
export interface Family {
  readonly description: keyof DestinationDescription;
  /** Required members of an update that changes the destination's type. */
  readonly required: readonly string[];
  /** Members omitted in descriptions. */
  readonly secrets: readonly string[];
  /** Defaults. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly backupMode: string;
  /** Undefined if the bucket's hints apply. */
  readonly hints: { SizeInMBs: number; IntervalInSeconds: number } | undefined;
  /** Retry duration in seconds. */
  readonly retry: number;
  /** As in `!{firehose:error-output-type}`. */
  readonly failed: string;
  /** @throws AwsError `InvalidArgumentException` */
  check(members: Readonly<Record<string, unknown>>): void;
}

const USUAL = { SizeInMBs: 5, IntervalInSeconds: 300 };

interface Secret {
  Enabled?: boolean;
  SecretARN?: string;
}

/** @throws AwsError `InvalidArgumentException` without credentials or secret */
const checkCredentials =
  (...names: readonly string[]) =>
  (members: Readonly<Record<string, unknown>>): void => {
    const { Enabled, SecretARN } = (members.SecretsManagerConfiguration ?? {}) as Secret;
    if (Enabled && SecretARN === undefined)
      throw invalidArgument('SecretARN is required when SecretsManagerConfiguration is enabled.');
    const missing = Enabled ? undefined : names.find((name) => members[name] === undefined);
    if (missing !== undefined)
      throw invalidArgument(`${missing} is required when SecretsManagerConfiguration is not enabled.`);
  };

/** @throws AwsError `InvalidArgumentException` unless a cluster is named in exactly one way */
const checkEndpoint =
  (...names: readonly string[]) =>
  (members: Readonly<Record<string, unknown>>): void => {
    const given = names.filter((name) => members[name] !== undefined);
    if (given.length !== 1) throw invalidArgument(`Exactly one of ${names.join(' and ')} must be specified.`);
    const value = String(members[given[0]!]);
    if (given[0] !== 'DomainARN' && !URL.canParse(value))
      throw invalidArgument(`The ${given[0]} ${value} is not a valid URL.`);
  };

const family = (
  name: ServiceFamily,
  failed: string,
  more: Partial<Family> & Pick<Family, 'backupMode' | 'check' | 'required'>,
): Family => ({
  description: `${name}DestinationDescription` as keyof DestinationDescription,
  secrets: [],
  defaults: {},
  hints: USUAL,
  retry: 300,
  failed,
  ...more,
});

const DOCUMENTS = { backupMode: 'FailedDocumentsOnly', required: ['RoleARN', 'IndexName'] };
const INDEXED = {
  ...DOCUMENTS,
  defaults: { IndexRotationPeriod: 'OneDay', DocumentIdOptions: { DefaultDocumentIdFormat: 'FIREHOSE_DEFAULT' } },
  check: checkEndpoint('DomainARN', 'ClusterEndpoint'),
};

/** Services by destination name. */
export const SERVICE_FAMILIES: Readonly<Record<ServiceFamily, Family>> = {
  AmazonOpenSearchServerless: family('AmazonOpenSearchServerless', 'AmazonOpenSearchServerless-failed', {
    ...DOCUMENTS,
    check: checkEndpoint('CollectionEndpoint'),
  }),
  Amazonopensearchservice: family('Amazonopensearchservice', 'AmazonOpenSearchService-failed', INDEXED),
  Elasticsearch: family('Elasticsearch', 'elasticsearch-failed', INDEXED),
  Iceberg: family('Iceberg', 'iceberg-failed', {
    backupMode: 'FailedDataOnly',
    required: ['RoleARN', 'CatalogConfiguration'],
    check: () => undefined,
  }),
  Redshift: family('Redshift', 'redshift-failed', {
    backupMode: 'Disabled',
    required: ['RoleARN', 'ClusterJDBCURL', 'CopyCommand'],
    secrets: ['Password'],
    hints: undefined,
    retry: 3600,
    check: (members) => {
      checkCredentials('Username', 'Password')(members);
      if (!/^jdbc:(redshift|postgresql):\/\/.+/.test(String(members.ClusterJDBCURL)))
        throw invalidArgument(`The ClusterJDBCURL ${String(members.ClusterJDBCURL)} is not valid.`);
    },
  }),
  Snowflake: family('Snowflake', 'snowflake-failed', {
    backupMode: 'FailedDataOnly',
    required: ['RoleARN', 'AccountUrl', 'Database', 'Schema', 'Table'],
    secrets: ['PrivateKey', 'KeyPassphrase'],
    defaults: { DataLoadingOption: 'JSON_MAPPING' },
    hints: { SizeInMBs: 1, IntervalInSeconds: 0 },
    retry: 60,
    check: checkCredentials('User', 'PrivateKey'),
  }),
  Splunk: family('Splunk', 'splunk-failed', {
    backupMode: 'FailedEventsOnly',
    required: ['HECEndpoint', 'HECEndpointType'],
    defaults: { HECAcknowledgmentTimeoutInSeconds: 180 },
    hints: { SizeInMBs: 5, IntervalInSeconds: 60 },
    check: (members) => {
      checkCredentials('HECToken')(members);
      checkEndpoint('HECEndpoint')(members);
    },
  }),
};
