/** Destinations and sources of every kind in requests of Amazon Data Firehose. */

const ACCOUNT = '123456789012';
export const RoleARN = `arn:aws:iam::${ACCOUNT}:role/firehose`;
export const Bucket = 'bucket';
export const BucketARN = `arn:aws:s3:::${Bucket}`;
const OtherRoleARN = `arn:aws:iam::${ACCOUNT}:role/other`;
export const AWSKMSKeyARN = `arn:aws:kms:us-east-1:${ACCOUNT}:key/00000000-0000-0000-0000-000000000001`;
export const SecretARN = `arn:aws:secretsmanager:us-east-1:${ACCOUNT}:secret:firehose`;

type Input = Record<string, unknown>;

const logging = { Enabled: true, LogGroupName: 'group', LogStreamName: 'stream' };
/** All members of a bucket destination. */
export const place = (Prefix: string): Input => ({
  RoleARN,
  BucketARN,
  Prefix,
  ErrorOutputPrefix: 'failed/',
  BufferingHints: { SizeInMBs: 2, IntervalInSeconds: 100 },
  CompressionFormat: 'GZIP',
  EncryptionConfiguration: { KMSEncryptionConfig: { AWSKMSKeyARN } },
  CloudWatchLoggingOptions: logging,
});
const processing = {
  Enabled: true,
  Processors: [
    {
      Type: 'Lambda',
      Parameters: [
        { ParameterName: 'LambdaArn', ParameterValue: `arn:aws:lambda:us-east-1:${ACCOUNT}:function:f` },
        { ParameterName: 'NumberOfRetries', ParameterValue: '1' },
      ],
    },
  ],
};
/** Members of all destinations except buckets. */
const common = {
  RetryOptions: { DurationInSeconds: 100 },
  ProcessingConfiguration: processing,
  CloudWatchLoggingOptions: logging,
};
const BufferingHints = { SizeInMBs: 2, IntervalInSeconds: 100 };
/** Credentials in a secret. */
const secret = { Enabled: true, SecretARN, RoleARN: OtherRoleARN };
const vpc = {
  VpcConfiguration: { SubnetIds: ['subnet-0123456789abcdef0'], RoleARN, SecurityGroupIds: ['sg-0123456789abcdef0'] },
};
const index = {
  ...common,
  RoleARN,
  BufferingHints,
  IndexName: 'index',
  IndexRotationPeriod: 'OneHour',
  ClusterEndpoint: 'https://127.0.0.1:1/domain',
  DocumentIdOptions: { DefaultDocumentIdFormat: 'NO_DOCUMENT_ID' },
};

/** A destination: members for its creation, and further ones for its update. */
interface Family {
  readonly config: Input;
  /** Members of a configuration only. */
  readonly fixed?: Input;
  readonly backup?: true;
}

/** Destinations by service name. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  Amazonopensearchservice: { config: index, fixed: { ...vpc, S3BackupMode: 'AllDocuments' } },
  Elasticsearch: { config: { ...index, TypeName: 'type' }, fixed: { ...vpc, S3BackupMode: 'AllDocuments' } },
  AmazonOpenSearchServerless: {
    config: {
      ...common,
      RoleARN,
      BufferingHints,
      IndexName: 'index',
      CollectionEndpoint: 'https://127.0.0.1:1/collection',
    },
    fixed: { ...vpc, S3BackupMode: 'AllDocuments' },
  },
  Splunk: {
    config: {
      ...common,
      BufferingHints: { SizeInMBs: 2, IntervalInSeconds: 50 },
      HECEndpoint: 'https://127.0.0.1:1/splunk',
      HECEndpointType: 'Event',
      HECToken: 'token',
      HECAcknowledgmentTimeoutInSeconds: 200,
      S3BackupMode: 'AllEvents',
    },
  },
  Redshift: {
    config: {
      ...common,
      RoleARN,
      ClusterJDBCURL: 'jdbc:redshift://c.abc.us-east-1.redshift.amazonaws.com:5439/dev',
      CopyCommand: { DataTableName: 'table', DataTableColumns: 'a,b', CopyOptions: 'GZIP' },
      Username: 'user',
      Password: 'Passw0rd',
      S3BackupMode: 'Enabled',
    },
    backup: true,
  },
  Snowflake: {
    config: {
      ...common,
      RoleARN,
      BufferingHints,
      AccountUrl: 'account.snowflakecomputing.com',
      PrivateKey: 'A'.repeat(256),
      KeyPassphrase: 'passphrase',
      User: 'user',
      Database: 'database',
      Schema: 'schema',
      Table: 'table',
      SnowflakeRoleConfiguration: { Enabled: true, SnowflakeRole: 'role' },
      DataLoadingOption: 'VARIANT_CONTENT_AND_METADATA_MAPPING',
      MetaDataColumnName: 'metadata',
      ContentColumnName: 'content',
      S3BackupMode: 'AllData',
    },
    fixed: {
      SnowflakeVpcConfiguration: { PrivateLinkVpceId: 'com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0' },
    },
  },
  Iceberg: {
    config: {
      ...common,
      RoleARN,
      BufferingHints,
      CatalogConfiguration: {
        CatalogARN: `arn:aws:glue:us-east-1:${ACCOUNT}:catalog`,
        WarehouseLocation: 's3://bucket/warehouse',
      },
      DestinationTableConfigurationList: [
        {
          DestinationTableName: 'table',
          DestinationDatabaseName: 'database',
          UniqueKeys: ['id'],
          PartitionSpec: { Identity: [{ SourceName: 'id' }] },
          S3ErrorOutputPrefix: 'table-failed/',
        },
      ],
      SchemaEvolutionConfiguration: { Enabled: true },
      TableCreationConfiguration: { Enabled: true },
      S3BackupMode: 'AllData',
      AppendOnly: true,
    },
  },
};

/** Returns all members for the creation of a destination. */
export const configurationOf = (name: string): Input => {
  const { config, fixed, backup } = FAMILIES[name]!;
  const S3Configuration = place('p/');
  const S3BackupConfiguration = backup && place('backup/');
  return {
    [`${name}DestinationConfiguration`]: {
      ...config,
      ...fixed,
      S3Configuration,
      ...(S3BackupConfiguration && { S3BackupConfiguration }),
    },
  };
};

/**
 * Returns all members for the update of a destination. For Iceberg it sets the destination of failures like its
 * configuration.
 */
export const updateOf = (name: string): Input => {
  const { config, backup } = FAMILIES[name]!;
  const bucket = name === 'Iceberg' ? { S3Configuration: place('q/') } : { S3Update: place('q/') };
  return {
    [`${name}DestinationUpdate`]: { ...config, ...bucket, ...(backup && { S3BackupUpdate: place('backup/') }) },
  };
};

const serializer = {
  ParquetSerDe: {
    BlockSizeBytes: 67_108_864,
    PageSizeBytes: 65_536,
    Compression: 'GZIP',
    EnableDictionaryCompression: true,
    MaxPaddingBytes: 1,
    WriterVersion: 'V2',
  },
};
const orc = {
  OrcSerDe: {
    StripeSizeBytes: 8_388_608,
    BlockSizeBytes: 67_108_864,
    RowIndexStride: 1000,
    EnablePadding: true,
    PaddingTolerance: 0.1,
    Compression: 'ZLIB',
    BloomFilterColumns: ['id'],
    BloomFilterFalsePositiveProbability: 0.1,
    DictionaryKeyThreshold: 0.1,
    FormatVersion: 'V0_11',
  },
};
const schema = {
  RoleARN,
  CatalogId: ACCOUNT,
  DatabaseName: 'database',
  TableName: 'table',
  Region: 'us-east-1',
  VersionId: 'LATEST',
};
const openX = {
  OpenXJsonSerDe: {
    ConvertDotsInJsonKeysToUnderscores: true,
    CaseInsensitive: true,
    ColumnToJsonKeyMappings: { id: 'ID' },
  },
};

/** Disabled format conversions, one with each format. */
export const CONVERSIONS: readonly Input[] = [
  {
    Enabled: false,
    SchemaConfiguration: schema,
    InputFormatConfiguration: { Deserializer: openX },
    OutputFormatConfiguration: { Serializer: serializer },
  },
  {
    Enabled: false,
    SchemaConfiguration: schema,
    InputFormatConfiguration: { Deserializer: { HiveJsonSerDe: { TimestampFormats: ['millis'] } } },
    OutputFormatConfiguration: { Serializer: orc },
  },
];

/** Supported sources, with the type of the delivery stream. */
export const SOURCES: readonly Input[] = [
  {
    DeliveryStreamType: 'MSKAsSource',
    MSKSourceConfiguration: {
      MSKClusterARN: `arn:aws:kafka:us-east-1:${ACCOUNT}:cluster/c/00000000-0000-0000-0000-000000000001-1`,
      TopicName: 'topic',
      AuthenticationConfiguration: { RoleARN, Connectivity: 'PUBLIC' },
      ReadFromTimestamp: new Date('2026-01-01T00:00:00Z'),
    },
  },
  {
    DeliveryStreamType: 'DatabaseAsSource',
    DatabaseSourceConfiguration: {
      Type: 'MySQL',
      Endpoint: 'db.local',
      Port: 3306,
      SSLMode: 'Enabled',
      Databases: { Include: ['shop'], Exclude: ['old'] },
      Tables: { Include: ['shop.orders'], Exclude: ['shop.old'] },
      Columns: { Include: ['shop.orders.id'], Exclude: ['shop.orders.old'] },
      SurrogateKeys: ['id'],
      SnapshotWatermarkTable: 'shop.watermarks',
      DatabaseSourceAuthenticationConfiguration: { SecretsManagerConfiguration: secret },
      DatabaseSourceVPCConfiguration: {
        VpcEndpointServiceName: 'com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0',
      },
    },
  },
];
