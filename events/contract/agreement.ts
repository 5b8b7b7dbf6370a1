/** The wording of the checkbox by which a visitor agrees to the terms of a package. A price stays on one line. */
export const agreementTo = (line: string) =>
  `I have read the terms on this page and agree to them: ${line.replace(' + ', '\u00a0+\u00a0')}.`
