import { defineCollection } from '@emu/core';

/** A permission to register managed instances. Times are epoch milliseconds. */
export interface ActivationRecord {
  id: string;
  /** SHA-256 of the code, in hexadecimal digits: the code itself is told once only. */
  codeHash: string;
  description?: string;
  defaultInstanceName?: string;
  role: string;
  limit: number;
  /** How many instances have been registered by it. */
  registered: number;
  createdAt: number;
  expiresAt: number;
  tags: Record<string, string>;
}

/** A machine outside of EC2 that was registered by an activation. */
export interface InstanceRecord {
  id: string;
  activationId: string;
  name?: string;
  role: string;
  platform: 'Windows' | 'Linux' | 'MacOS';
  platformName: string;
  platformVersion: string;
  agentVersion: string;
  ipAddress: string;
  computerName: string;
  /** Epoch milliseconds. */
  registeredAt: number;
  tags: Record<string, string>;
}

export const activationCollection = defineCollection<ActivationRecord>('activations', 'region');
export const instanceCollection = defineCollection<InstanceRecord>('managedInstances', 'region');
