import { kms } from '../../src/scenarios/kms.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(kms);
