import { outboxCollection } from '@emu/core/service';
import { generatedTemplateCollection, resourceScanCollection, scannedCollection } from './iac/records.ts';
import { refactorCollection } from './refactors/records.ts';
import { moduleVersionCollection, registrationCollection } from './registry/modules.ts';
import {
  activatedTypeCollection,
  hookResultCollection,
  publishedModuleCollection,
  publisherCollection,
} from './registry/records.ts';
import { stackInstanceCollection, stackSetCollection, stackSetOperationCollection } from './stack-sets/records.ts';
import {
  changeSetCollection,
  driftDetectionCollection,
  eventCollection,
  macroCollection,
  operationCollection,
  resourceCollection,
  signalCollection,
  stackCollection,
  templateCollection,
} from './stacks/records.ts';

/** Collections of CloudFormation's state. */
export const collections = [
  stackCollection,
  templateCollection,
  resourceCollection,
  operationCollection,
  eventCollection,
  changeSetCollection,
  signalCollection,
  macroCollection,
  driftDetectionCollection,
  stackSetCollection,
  stackInstanceCollection,
  stackSetOperationCollection,
  resourceScanCollection,
  scannedCollection,
  generatedTemplateCollection,
  refactorCollection,
  activatedTypeCollection,
  hookResultCollection,
  moduleVersionCollection,
  registrationCollection,
  publisherCollection,
  publishedModuleCollection,
  outboxCollection,
] as const;
