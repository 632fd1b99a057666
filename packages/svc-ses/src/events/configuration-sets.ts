import type { ConfigurationSetRecord } from '../records.ts';

/** Returns a new configuration set. */
export const newConfigurationSet = (name: string): ConfigurationSetRecord => ({
  name,
  tags: [],
  reputationMetrics: false,
  sending: true,
  destinations: [],
});
