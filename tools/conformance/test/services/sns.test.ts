import { sns } from '../../src/scenarios/sns.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(sns);
