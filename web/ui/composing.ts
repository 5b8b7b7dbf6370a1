/**
 * Whether a key belongs to an input method. In Safari the Enter that ends a composition comes after it and has only the
 * code 229.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>) =>
  event.isComposing || event.keyCode === 229
