import type { Collection } from '@emu/core/service';
import type { SettingRecord } from './records.ts';

/** A service setting: its default and accepted values. */
export interface SettingRule {
  readonly initial: string;
  /** Undefined for unsupported settings, which cannot be changed. */
  readonly accepts: RegExp | undefined;
}

const TIER = '/ssm/parameter-store/default-parameter-tier';
const THROUGHPUT = '/ssm/parameter-store/high-throughput-enabled';

/** Maximum number of standard parameters of an account; intelligent tiering makes further ones advanced. */
export const MAX_STANDARD = 10_000;
const SHARING = '/ssm/documents/console/public-sharing-permission';
const SCRIPT_LOGS = '/ssm/automation/customer-script-log-destination';
const SCRIPT_LOG_GROUP = '/ssm/automation/customer-script-log-group-name';
const ON_OR_OFF = /^(true|false)$/i;

/**
 * Service settings. The one for concurrency raises a limit that emu does not have.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateServiceSetting.html
 */
export const SETTINGS: Readonly<Record<string, SettingRule>> = {
  [TIER]: { initial: 'Standard', accepts: /^(Standard|Advanced|Intelligent-Tiering)$/ },
  [THROUGHPUT]: { initial: 'false', accepts: ON_OR_OFF },
  '/ssm/automation/enable-adaptive-concurrency': { initial: 'False', accepts: ON_OR_OFF },
  [SCRIPT_LOGS]: { initial: 'None', accepts: /^(None|CloudWatch)$/ },
  [SCRIPT_LOG_GROUP]: { initial: '/aws/ssm/automation/executeScript', accepts: /^[.\-_/#A-Za-z0-9]{1,512}$/ },
  [SHARING]: { initial: 'Enable', accepts: /^(Enable|Disable)$/ },
  '/ssm/managed-instance/activation-tier': { initial: 'standard', accepts: undefined },
  '/ssm/managed-instance/default-ec2-instance-management-role': { initial: '', accepts: undefined },
  '/ssm/appmanager/appmanager-enabled': { initial: 'False', accepts: undefined },
  '/ssm/opsinsights/opscenter': { initial: 'Disabled', accepts: undefined },
};

/** Settings of an account in a region. */
export interface Configured {
  readonly settings: Collection<SettingRecord>;
}

const settingValue = ({ settings }: Configured, id: string): string => settings.get(id)?.value ?? SETTINGS[id]!.initial;

/** Returns the default tier of parameters. */
export const defaultTier = (state: Configured): string => settingValue(state, TIER);

/** Whether documents may be shared publicly. */
export const allowsPublicDocuments = (state: Configured): boolean => settingValue(state, SHARING) === 'Enable';

/** Returns the log group for script output of runbooks; undefined if it is not logged. */
export const scriptLogGroup = (state: Configured): string | undefined =>
  settingValue(state, SCRIPT_LOGS) === 'CloudWatch' ? settingValue(state, SCRIPT_LOG_GROUP) : undefined;

/** Whether higher throughput of Parameter Store is enabled; only relevant with enforced rate quotas. */
export const hasHighThroughput = (state: Configured): boolean =>
  settingValue(state, THROUGHPUT).toLowerCase() === 'true';
