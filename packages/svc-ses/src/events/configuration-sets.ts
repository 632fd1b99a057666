import type { ConfigurationSetRecord } from '../records.ts';

/** A configuration set as it begins. */
export const newConfigurationSet = (name: string): ConfigurationSetRecord => ({
  name,
  tags: [],
  reputationMetrics: false,
  sending: true,
  destinations: [],
});
