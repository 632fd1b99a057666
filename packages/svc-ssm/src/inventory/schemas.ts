import type { InventoryItemSchema } from '@emu/service-types/ssm';

interface Schema {
  readonly version: string;
  readonly text: readonly string[];
  readonly numbers?: readonly string[];
  readonly display?: string;
  /** Attributes that aggregators can count by. */
  readonly counted?: readonly string[];
}

const counts = (...names: string[]): string[] =>
  ['Critical', 'High', 'Medium', 'Low', 'Informational', 'Unspecified'].flatMap((severity) =>
    names.map((name) => `${name}${severity}Count`),
  );

/**
 * The types of inventory that AWS defines.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/inventory-schema.html
 */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  'AWS:AWSComponent': {
    version: '1.0',
    text: ['Name', 'ApplicationType', 'Publisher', 'Version', 'InstalledTime', 'Architecture', 'URL'],
  },
  'AWS:Application': {
    version: '1.1',
    display: 'Application',
    text: [
      ...['Name', 'ApplicationType', 'Publisher', 'Version', 'InstalledTime', 'Architecture', 'URL', 'Summary'],
      ...['PackageId', 'Release', 'Epoch', 'CompType'],
    ],
    counted: ['Name', 'Version'],
  },
  'AWS:ComplianceItem': {
    version: '1.0',
    text: [
      ...['ComplianceType', 'ExecutionId', 'ExecutionType', 'ExecutionTime', 'Id', 'Title', 'Status', 'Severity'],
      ...['DocumentName', 'DocumentVersion', 'Classification', 'PatchBaselineId', 'PatchSeverity', 'PatchState'],
      ...['PatchGroup', 'InstalledTime', 'CVEIds', 'InstallOverrideList', 'DetailedText', 'DetailedLink'],
    ],
  },
  'AWS:ComplianceSummary': {
    version: '1.0',
    text: [
      ...['ComplianceType', 'PatchGroup', 'PatchBaselineId', 'Status', 'OverallSeverity'],
      ...['ExecutionId', 'ExecutionType', 'ExecutionTime'],
    ],
    numbers: [...counts('Compliant'), ...counts('NonCompliant')],
  },
  'AWS:File': {
    version: '1.0',
    text: [
      ...['Name', 'Size', 'Description', 'FileVersion', 'InstalledDate', 'ModificationTime', 'LastAccessTime'],
      ...['ProductName', 'InstalledDir', 'ProductLanguage', 'CompanyName', 'ProductVersion'],
    ],
  },
  'AWS:InstanceDetailedInformation': {
    version: '1.0',
    text: ['CPUModel', 'CPUHyperThreadEnabled', 'OSServicePack', 'KernelVersion'],
    numbers: ['CPUCores', 'CPUs', 'CPUSpeedMHz', 'CPUSockets'],
  },
  'AWS:InstanceInformation': {
    version: '1.0',
    display: 'Platform',
    text: [
      ...['AgentType', 'AgentVersion', 'ComputerName', 'IamRole', 'InstanceId', 'InstanceStatus', 'IpAddress'],
      ...['PlatformName', 'PlatformType', 'PlatformVersion', 'ResourceType'],
    ],
    counted: ['PlatformName', 'PlatformType', 'PlatformVersion'],
  },
  'AWS:Network': {
    version: '1.0',
    text: ['Name', 'SubnetMask', 'Gateway', 'DHCPServer', 'DNSServer', 'MacAddress', 'IPV4', 'IPV6'],
  },
  'AWS:PatchSummary': {
    version: '1.0',
    text: [
      ...['PatchGroup', 'BaselineId', 'SnapshotId', 'ExecutionId', 'OwnerInformation', 'InstallOverrideList'],
      ...['OperationType', 'OperationStartTime', 'OperationEndTime', 'RebootOption'],
      ...['LastNoRebootInstallOperationTime', 'NonCompliantSeverity'],
    ],
    numbers: [
      ...['InstalledCount', 'InstalledOtherCount', 'InstalledRejectedCount', 'InstalledPendingRebootCount'],
      ...['NotApplicableCount', 'UnreportedNotApplicableCount', 'MissingCount', 'FailedCount'],
      ...['AvailableSecurityUpdateCount', 'CriticalNonCompliantCount', 'SecurityNonCompliantCount'],
      'OtherNonCompliantCount',
    ],
  },
  'AWS:Service': {
    version: '1.0',
    display: 'Service',
    text: [...['Name', 'DisplayName', 'ServiceType', 'Status', 'DependentServices', 'ServicesDependedOn', 'StartType']],
    counted: ['Name', 'DisplayName', 'ServiceType', 'Status', 'StartType'],
  },
  'AWS:WindowsRegistry': { version: '1.0', text: ['KeyPath', 'ValueName', 'ValueType', 'Value'] },
  'AWS:WindowsRole': {
    version: '1.0',
    display: 'WindowsRole',
    text: [
      ...['Name', 'DisplayName', 'Path', 'FeatureType', 'DependsOn', 'Description', 'Installed', 'InstalledState'],
      ...['SubFeatures', 'ServerComponentDescriptor', 'Parent'],
    ],
    counted: ['Name', 'DisplayName', 'FeatureType', 'Installed'],
  },
  'AWS:WindowsUpdate': { version: '1.0', text: ['HotFixId', 'Description', 'InstalledTime', 'InstalledBy'] },
};

/** Returns the attribute names of an AWS type. */
export const attributesOf = (typeName: string): readonly string[] => [
  ...SCHEMAS[typeName]!.text,
  ...(SCHEMAS[typeName]!.numbers ?? []),
];

/**
 * Returns the schema of an AWS type in responses.
 * @param counted whether to include only attributes for aggregators
 */
export function schemaOf(typeName: string, counted: boolean): InventoryItemSchema {
  const { version, text, numbers = [], display, counted: names = [] } = SCHEMAS[typeName]!;
  const shown = (list: readonly string[], DataType: 'string' | 'number') =>
    list.filter((name) => !counted || names.includes(name)).map((Name) => ({ Name, DataType }));
  return {
    TypeName: typeName,
    Version: version,
    Attributes: [...shown(text, 'string'), ...shown(numbers, 'number')],
    DisplayName: display,
  };
}
