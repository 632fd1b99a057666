const digitsOf = (text: string): number[] => [...text.replace(/\D/g, '')].map(Number);
/** Returns the value of a character in check digits of documents: A is 10. */
const worthOf = (character: string): number => Number.parseInt(character, 36);
const compact = (text: string): string => text.replace(/[^A-Za-z\d]/g, '').toUpperCase();

const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/** Whether the check digit of a card number, a Canadian insurance number or the like is valid. */
export function luhn(text: string): boolean {
  let sum = 0;
  const digits = digitsOf(text);
  for (let index = 0; index < digits.length; index++) {
    const digit = digits[digits.length - 1 - index]!;
    const doubled = index % 2 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Whether an American health care provider's number is valid, by Luhn's check digit with the prefix of health care in
 * the United States.
 */
export const nationalProvider = (text: string): boolean => luhn(`80840${text}`);

/** Returns the remainder by 97 of a number of any length, whose letters count as two digits. */
function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text)
    for (const digit of String(worthOf(character))) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

/** Whether the check digits of an international bank account number are valid. */
export function iban(text: string): boolean {
  const account = compact(text);
  return remainder97(account.slice(4) + account.slice(0, 4)) === 1;
}

/** Whether the key of a French social security number is valid. Departments of Corsica have letters. */
export function insee(text: string): boolean {
  const number = compact(text).replace('2A', '19').replace('2B', '18');
  return 97 - remainder97(number.slice(0, 13)) === Number(number.slice(13));
}

/** Whether the control digits of a Spanish social security number are valid. */
export function spanishInsurance(text: string): boolean {
  const digits = compact(text);
  const province = Number(digits.slice(0, 2));
  const number = Number(digits.slice(2, 10));
  const whole = number < 10_000_000 ? number + province * 10_000_000 : Number(digits.slice(0, 10));
  return whole % 97 === Number(digits.slice(10));
}

/** Whether all digits are equal; such numbers are not issued. */
const isUniform = (digits: readonly number[]): boolean => digits.every((digit) => digit === digits[0]);

const brazilianDigit = (sum: number): number => (sum % 11 < 2 ? 0 : 11 - (sum % 11));

/** Whether both check digits of a Brazilian person's number are valid. */
export function cpf(text: string): boolean {
  const digits = digitsOf(text);
  const first = brazilianDigit(weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]));
  const second = brazilianDigit(weighted(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]));
  return !isUniform(digits) && digits[9] === first && digits[10] === second;
}

/** Whether both check digits of a Brazilian company's number are valid. */
export function cnpj(text: string): boolean {
  const digits = digitsOf(text);
  const first = brazilianDigit(weighted(digits, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]));
  const second = brazilianDigit(weighted(digits, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]));
  return !isUniform(digits) && digits[12] === first && digits[13] === second;
}

/** Whether the check digit of a registration at the Drug Enforcement Administration is valid. */
export function drugEnforcement(text: string): boolean {
  const digits = digitsOf(text);
  return weighted(digits, [1, 2, 1, 2, 1, 2]) % 10 === digits[6];
}

/** Whether the check digit of a number of the National Health Service is valid. */
export function nhs(text: string): boolean {
  const digits = digitsOf(text);
  return 11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) === (digits[9] || 11);
}

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Whether the letter of a Spanish identity number is valid, including foreigners', which begin with X, Y or Z. */
export function spanishLetter(text: string): boolean {
  const number = compact(text).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return SPANISH_LETTERS[Number(number.slice(0, -1)) % 23] === number.at(-1);
}

/** Whether the control character of a Spanish company's tax number, a digit or a letter, is valid. */
export function cif(text: string): boolean {
  const number = compact(text);
  let sum = 0;
  for (const [index, digit] of digitsOf(number.slice(1, 8)).entries()) {
    const counted = index % 2 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  const control = (10 - (sum % 10)) % 10;
  return number.at(-1) === String(control) || number.at(-1) === 'JABCDEFGHI'[control];
}

/** Values of characters at odd places of Italian tax codes, by their values at even places. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Whether the control letter of an Italian tax code is valid. */
export function codiceFiscale(text: string): boolean {
  const code = compact(text);
  const worth = (character: string): number => (/\d/.test(character) ? Number(character) : worthOf(character) - 10);
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const value = worth(code[index]!);
    sum += index % 2 ? value : ITALIAN_ODD[value]!;
  }
  return worthOf(code[15]!) - 10 === sum % 26;
}

/** Whether the check digit of a German identity document is valid. */
export function germanDocument(text: string): boolean {
  const number = compact(text);
  const sum = [...number.slice(0, -1)].reduce(
    (total, character, index) => total + worthOf(character) * [7, 3, 1][index % 3]!,
    0,
  );
  return sum % 10 === Number(number.at(-1));
}

/** Whether the check digit of a German tax number is valid, by ISO 7064. */
export function germanTax(text: string): boolean {
  const digits = digitsOf(text);
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits[10];
}

/** Whether the last three digits of a French tax number are valid. */
export function frenchTax(text: string): boolean {
  const digits = compact(text);
  return Number(digits.slice(0, 10)) % 511 === Number(digits.slice(10));
}

/** Whether the first digit of a British taxpayer's reference is valid. */
export function britishTax(text: string): boolean {
  const digits = digitsOf(text);
  const sum = weighted(digits.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2]);
  return '21987654321'[sum % 11] === String(digits[0]);
}
