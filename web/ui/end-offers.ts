/** Takes out of the page what was meant to stand there only until an instant that has passed. */
export const endOffers = () => {
  for (const offer of document.querySelectorAll<HTMLElement>('[data-until]'))
    if (Date.now() >= Date.parse(offer.dataset.until as string)) offer.remove()
}
