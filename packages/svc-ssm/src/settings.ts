import type { SsmState } from './state.ts';

/** A setting that the service has: its value before it is changed, and those it may have. */
export interface SettingRule {
  readonly initial: string;
  readonly accepts: RegExp;
}

const TIER = '/ssm/parameter-store/default-parameter-tier';
const THROUGHPUT = '/ssm/parameter-store/high-throughput-enabled';

/** Standard parameters that an account has at most; AWS makes further ones advanced where it is to choose. */
export const MOST_STANDARD = 10_000;

/**
 * Settings of the service that act in emu.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateServiceSetting.html
 */
export const SETTINGS: Readonly<Record<string, SettingRule>> = {
  [TIER]: { initial: 'Standard', accepts: /^(Standard|Advanced|Intelligent-Tiering)$/ },
  [THROUGHPUT]: { initial: 'false', accepts: /^(true|false)$/ },
};

/** The tier that parameters get whose requests name none. */
export const defaultTier = (state: SsmState): string => state.settings.get(TIER)?.value ?? SETTINGS[TIER]!.initial;

/** Whether the account has the higher throughput of Parameter Store, which acts where its rates are enforced. */
export const hasHighThroughput = (state: SsmState): boolean => state.settings.get(THROUGHPUT)?.value === 'true';
