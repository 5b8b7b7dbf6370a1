/**
 * Posts a form as a page without script does, if the code that sends it cannot be loaded. The browser validates it
 * first, because a refusal leads away from the page. Without a network the post would lead away too: then `onOffline`
 * is called instead.
 */
export const postPlainly = async (form: HTMLFormElement, onOffline: () => void): Promise<void> => {
  if (!form.reportValidity()) return
  // a device without signal may still report that it is online
  await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(() => form.submit(), onOffline)
}
