/**
 * Posts a form as one without script does, where the code that would send it cannot be fetched: a browser may not ask for
 * that code a second time. Without a network it would lead away from what was typed: then `onOffline` is called instead.
 */
export const postPlainly = (form: HTMLFormElement, onOffline: () => void) => {
  if (navigator.onLine) form.submit()
  else onOffline()
}
