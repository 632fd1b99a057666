import type { SsmState } from './state.ts';

/** A setting that the service has: its value before it is changed, and those it may have. */
export interface SettingRule {
  readonly initial: string;
  readonly accepts: RegExp;
}

const TIER = '/ssm/parameter-store/default-parameter-tier';

/**
 * Settings of the service that act in emu.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateServiceSetting.html
 */
export const SETTINGS: Readonly<Record<string, SettingRule>> = {
  [TIER]: { initial: 'Standard', accepts: /^(Standard|Advanced|Intelligent-Tiering)$/ },
};

/** The tier that parameters get whose requests name none. */
export const defaultTier = (state: SsmState): string => state.settings.get(TIER)?.value ?? SETTINGS[TIER]!.initial;
