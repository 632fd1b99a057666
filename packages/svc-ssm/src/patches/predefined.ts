import { createHash } from 'node:crypto';
import type { DeepReadonly, Place } from '@emu/core/service';
import type { OperatingSystem, PatchFilter, PatchRule } from '@emu/service-types/ssm';
import type { BaselineRecord } from './records.ts';
import { baselineType } from './resources.ts';
import { completeRules } from './rules.ts';

/** Owner account of AWS's baselines. */
const OWNER = '075727635805';
const WEEK = 7;

const filter = (Key: PatchFilter['Key'], ...Values: string[]): PatchFilter => ({ Key, Values });
const rule = (days: number | undefined, ...PatchFilters: PatchFilter[]): PatchRule => ({
  PatchFilterGroup: { PatchFilters },
  ComplianceLevel: 'UNSPECIFIED',
  ...(days !== undefined && { ApproveAfterDays: days }),
  EnableNonSecurity: false,
});

const EVERY = filter('PRODUCT', '*');
const security = (...severities: string[]): PatchRule =>
  rule(WEEK, EVERY, filter('CLASSIFICATION', 'Security'), filter('SEVERITY', ...severities));
const BUGFIXES = rule(WEEK, EVERY, filter('CLASSIFICATION', 'Bugfix'));
const USUAL = [security('Critical', 'Important'), BUGFIXES];
/** Debian repositories have no reliable release dates, so patches are approved without delay. */
const DEBIAN = [rule(undefined, EVERY, filter('PRIORITY', 'Required', 'Important', 'Standard', 'Optional', 'Extra'))];
const WINDOWS = [
  rule(
    WEEK,
    filter('PATCH_SET', 'OS'),
    EVERY,
    filter('CLASSIFICATION', 'CriticalUpdates', 'SecurityUpdates'),
    filter('MSRC_SEVERITY', 'Critical', 'Important'),
  ),
];
const APPLICATIONS = [
  ...WINDOWS,
  rule(WEEK, filter('PATCH_SET', 'APPLICATION'), filter('PRODUCT_FAMILY', '*'), filter('CLASSIFICATION', '*')),
];

/** Name, operating system, its name in descriptions, and rules; the first baseline of a system is its default. */
const PREDEFINED: readonly (readonly [string, OperatingSystem, string, readonly PatchRule[]])[] = [
  ['AWS-DefaultPatchBaseline', 'WINDOWS', 'Windows', WINDOWS],
  ['AWS-WindowsPredefinedPatchBaseline-OS', 'WINDOWS', 'Windows', WINDOWS],
  ['AWS-WindowsPredefinedPatchBaseline-OS-Applications', 'WINDOWS', 'Windows and its applications', APPLICATIONS],
  ['AWS-AmazonLinuxDefaultPatchBaseline', 'AMAZON_LINUX', 'Amazon Linux', USUAL],
  ['AWS-AmazonLinux2DefaultPatchBaseline', 'AMAZON_LINUX_2', 'Amazon Linux 2', USUAL],
  ['AWS-AmazonLinux2022DefaultPatchBaseline', 'AMAZON_LINUX_2022', 'Amazon Linux 2022', USUAL],
  ['AWS-AmazonLinux2023DefaultPatchBaseline', 'AMAZON_LINUX_2023', 'Amazon Linux 2023', USUAL],
  ['AWS-UbuntuDefaultPatchBaseline', 'UBUNTU', 'Ubuntu', DEBIAN],
  ['AWS-RedHatDefaultPatchBaseline', 'REDHAT_ENTERPRISE_LINUX', 'Redhat Enterprise Linux', USUAL],
  ['AWS-SuseDefaultPatchBaseline', 'SUSE', 'Suse', [security('Critical', 'Important')]],
  ['AWS-CentOSDefaultPatchBaseline', 'CENTOS', 'CentOS', [{ ...rule(WEEK, EVERY), EnableNonSecurity: true }]],
  [
    'AWS-OracleLinuxDefaultPatchBaseline',
    'ORACLE_LINUX',
    'Oracle Linux Server',
    [security('Important', 'Moderate'), BUGFIXES],
  ],
  ['AWS-DebianDefaultPatchBaseline', 'DEBIAN', 'Debian', DEBIAN],
  [
    'AWS-MacOSDefaultPatchBaseline',
    'MACOS',
    'macOS',
    [rule(0, EVERY, filter('CLASSIFICATION', 'Security')), rule(0, EVERY)],
  ],
  ['AWS-DefaultRaspbianPatchBaseline', 'RASPBIAN', 'Raspbian', DEBIAN],
  ['AWS-RockyLinuxDefaultPatchBaseline', 'ROCKY_LINUX', 'Rocky Linux', USUAL],
  ['AWS-AlmaLinuxDefaultPatchBaseline', 'ALMA_LINUX', 'Alma Linux', USUAL],
];

/** Creation time of AWS's baselines without a known date. */
const SINCE = Date.UTC(2020, 0, 1);

/**
 * Returns AWS's predefined patch baselines in a region. Ids are derived from name and region; in AWS they also differ
 * by region.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/patch-manager-predefined-and-custom-patch-baselines.html
 */
export const predefinedBaselines = ({ region }: Place): DeepReadonly<BaselineRecord>[] =>
  PREDEFINED.map(([name, operatingSystem, called, rules]) => ({
    id: baselineType.arn({ id: idOf(name, region) }, { accountId: OWNER, region }),
    name,
    description: `Default Patch Baseline for ${called} Provided by AWS.`,
    operatingSystem,
    rules: completeRules({ ApprovalRules: { PatchRules: [...rules] } }),
    tags: {},
    createdAt: SINCE,
    modifiedAt: SINCE,
  }));

const idOf = (name: string, region: string): string =>
  `pb-0${createHash('sha256').update(`${name} ${region}`).digest('hex').slice(0, 16)}`;
