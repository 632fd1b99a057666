import type { Ec2Instance, Ec2InstanceNetwork } from '../records/ec2.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of EC2. */
export const ec2 = {
  /** Lists instances with their backends. `GET /_emulator/ec2/instances` */
  instances: json<{ instances: Ec2Instance[] }>()('GET /_emulator/ec2/instances'),

  /** Lists the network and isolation of each instance. `GET /_emulator/ec2/instance-networks` */
  instanceNetworks: json<{ instanceNetworks: Ec2InstanceNetwork[] }>()('GET /_emulator/ec2/instance-networks'),
};

/** Methods for the control routes of EC2. */
export interface Ec2Control extends MethodsOf<typeof ec2> {}

/** Control routes of EC2 by name. */
export type Ec2Routes = RoutesOf<typeof ec2>;
