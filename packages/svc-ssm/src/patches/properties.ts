import type { OperatingSystem, PatchProperty, PatchSet } from '@emu/service-types/ssm';

type Properties = Readonly<Partial<Record<PatchProperty, readonly string[]>>>;

const RPM_CLASSES = ['Security', 'Bugfix', 'Enhancement', 'Recommended', 'Newpackage'];
const SEVERITIES = ['Critical', 'Important', 'Medium', 'Low'];
const rpm = (...PRODUCT: string[]): Properties => ({ PRODUCT, CLASSIFICATION: RPM_CLASSES, SEVERITY: SEVERITIES });
const deb = (...PRODUCT: string[]): Properties => ({
  PRODUCT,
  PRIORITY: ['Required', 'Important', 'Standard', 'Optional', 'Extra'],
});

/**
 * Patch properties for baseline filters, by operating system.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribePatchProperties.html
 */
export const PROPERTIES: Readonly<Record<OperatingSystem, Properties>> = {
  WINDOWS: {
    PRODUCT: ['2008', '2008R2', '2012', '2012R2', '2016', '2019', '2022', '2025'].map((year) => `WindowsServer${year}`),
    PRODUCT_FAMILY: ['Windows'],
    CLASSIFICATION: [
      'CriticalUpdates',
      'DefinitionUpdates',
      'Drivers',
      'FeaturePacks',
      'SecurityUpdates',
      'ServicePacks',
      'Tools',
      'UpdateRollups',
      'Updates',
      'Upgrades',
    ],
    MSRC_SEVERITY: ['Critical', 'Important', 'Low', 'Moderate', 'Unspecified'],
  },
  AMAZON_LINUX: rpm(
    ...['2012', '2013', '2014', '2015', '2016', '2017'].flatMap((year) => [
      `AmazonLinux${year}.03`,
      `AmazonLinux${year}.09`,
    ]),
    'AmazonLinux2018.03',
  ),
  AMAZON_LINUX_2: rpm('AmazonLinux2', 'AmazonLinux2.0'),
  AMAZON_LINUX_2022: rpm('AmazonLinux2022'),
  AMAZON_LINUX_2023: rpm('AmazonLinux2023'),
  UBUNTU: deb(...['14.04', '16.04', '18.04', '20.04', '22.04', '24.04'].map((version) => `Ubuntu${version}`)),
  REDHAT_ENTERPRISE_LINUX: rpm(...['6', '7', '8', '9'].map((version) => `RedhatEnterpriseLinux${version}`)),
  SUSE: {
    PRODUCT: ['Suse12.0', 'Suse12.5', 'Suse15.0', 'Suse15.5'],
    CLASSIFICATION: ['Security', 'Recommended', 'Optional', 'Feature', 'Document', 'Yast'],
    SEVERITY: ['Critical', 'Important', 'Moderate', 'Low'],
  },
  CENTOS: rpm('CentOS6', 'CentOS7', 'CentOS8'),
  ORACLE_LINUX: rpm(...['7', '8', '9'].map((version) => `OracleLinux${version}`)),
  DEBIAN: deb(...['8', '9', '10', '11', '12'].map((version) => `Debian${version}`)),
  MACOS: { PRODUCT: ['macOS'], CLASSIFICATION: ['Security', 'Recommended', 'Homebrew'] },
  RASPBIAN: deb('Raspbian9', 'Raspbian10'),
  ROCKY_LINUX: rpm('RockyLinux8', 'RockyLinux9'),
  ALMA_LINUX: rpm('AlmaLinux8', 'AlmaLinux9'),
};

const APPLICATIONS: Properties = {
  PRODUCT_FAMILY: ['Office', 'SQLServer', 'Exchange', 'SharePoint'],
  PRODUCT: ['Office 2010', 'Office 2013', 'Office 2016', 'Microsoft SQL Server 2016', 'Microsoft SQL Server 2019'],
  CLASSIFICATION: PROPERTIES.WINDOWS.CLASSIFICATION!,
  MSRC_SEVERITY: PROPERTIES.WINDOWS.MSRC_SEVERITY!,
};

/** Returns the values of a property; undefined if the operating system does not have it. */
export const valuesOf = (
  system: OperatingSystem,
  property: PatchProperty,
  set: PatchSet = 'OS',
): readonly string[] | undefined =>
  set === 'APPLICATION' && system === 'WINDOWS' ? APPLICATIONS[property] : PROPERTIES[system][property];

/** Returns the valid filter keys of baselines for an operating system. */
export function filterKeys(system: OperatingSystem): string[] {
  const keys = Object.keys(PROPERTIES[system]);
  if (system === 'WINDOWS') return [...keys, 'PATCH_SET'];
  return 'PRIORITY' in PROPERTIES[system] ? [...keys, 'SECTION'] : keys;
}
