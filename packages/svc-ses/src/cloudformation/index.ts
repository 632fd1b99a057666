import type { AnyResourceProvider } from '@emu/core/service';
import { configurationSet, eventDestination } from './configuration-sets.ts';
import { emailIdentity } from './identities.ts';
import { dedicatedIpPool, multiRegionEndpoint, tenant, vdmAttributes } from './infrastructure.ts';
import { receiptFilter, receiptRule, receiptRuleSet } from './receiving.ts';
import { contactList, template, verificationTemplate } from './templates.ts';

/** Providers of Amazon SES's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  configurationSet,
  contactList,
  dedicatedIpPool,
  emailIdentity,
  eventDestination,
  multiRegionEndpoint,
  receiptFilter,
  receiptRule,
  receiptRuleSet,
  template,
  tenant,
  vdmAttributes,
  verificationTemplate,
];
