/**
 * Reveals blocks with `data-reveal` as they are scrolled to (specification, 2: threshold 0.1, bottom margin 50px).
 * Nothing is hidden before the first scroll, so the page paints whole at once.
 */
export const revealOnScroll = () => {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const block = target as HTMLElement
        // The first observation: only blocks below the window are hidden.
        if (!isIntersecting && block.dataset.reveal === '' && boundingClientRect.top >= innerHeight)
          block.dataset.reveal = 'waiting'
        else if (isIntersecting) {
          block.dataset.reveal = 'shown'
          observer.unobserve(block)
        }
      }
    },
    { threshold: 0.1, rootMargin: '0px 0px -50px 0px' },
  )
  const watch = () => {
    for (const block of document.querySelectorAll('[data-reveal]')) observer.observe(block)
  }
  // before this was there, or by a link to a section
  if (scrollY > 0) watch()
  else addEventListener('scroll', watch, { once: true, passive: true })
}
