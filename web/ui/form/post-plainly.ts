/**
 * Posts a form as one without script does, where the code that would send it cannot be fetched. The browser checks it
 * first: what the server refuses leads away from the page. Without a network so would the post itself: then `onOffline` is
 * called instead.
 */
export const postPlainly = async (form: HTMLFormElement, onOffline: () => void): Promise<void> => {
  if (!form.reportValidity()) return
  // a device without signal may still say that it is online
  await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(() => form.submit(), onOffline)
}
