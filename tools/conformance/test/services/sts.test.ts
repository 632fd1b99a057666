import { sts } from '../../src/scenarios/sts.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(sts);
