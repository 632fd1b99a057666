import { definePlugin } from '@emu/core/service';
import { model } from './model.ts';
import * as resources from './resources.ts';
import { collections, createState, type NetworkState } from './state.ts';
import type { NetworkOperations } from './types.ts';

const {
  dhcpOptions: _d,
  vpcs: _v,
  subnets: _s,
  securityGroups: _g,
  natGateways: _n,
  routes: _r,
  ...operations
} = resources;

/** A fictitious service with the conventions of EC2, all of whose operations come from descriptors. */
export const networks = definePlugin<NetworkOperations, NetworkState>({
  name: 'networks',
  model,
  stateScope: 'region',
  collections,
  createState,
  operations: [operations],
});
