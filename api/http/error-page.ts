import { html } from 'hono/html'
import { dialledOf } from '../../events/base/phone.ts'
import type { TermsChange } from '../../events/contract/terms.ts'

/** The reasons of a refusal, and advice for the person; `agency` is the name above them. */
type Refusal = { agency: string; title: string; messages: string[]; advice: string | ReturnType<typeof html> }

/** Allows only what the page needs: its own styles, and pictures of this site. */
export const ERROR_PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The path of the page that posted a form; home if it is unknown. Two slashes would lead to another site. */
const pathOf = (from: URL | undefined) => from?.pathname.replace(/^\/+/, '/') ?? '/'

/** The advice after a form that was posted without script; `from` is the page of this site with the form. */
export const afterRefusedForm = (phone: string, from: URL | undefined) =>
  html`Nothing was sent. Use your browser's Back button: what you typed is still there. You can also <a href="${pathOf(from)}">open the page again</a>, or call <a href="tel:${dialledOf(phone)}" style="white-space:nowrap">${phone}</a>.`

/** A contract whose terms have changed: the fields as they were filled in, with the new version of the terms. */
export type Again = { fields: Record<string, string>; agreement: string; changes: readonly TermsChange[] }

const changedLines = (lines: readonly string[], as: 'del' | 'ins') =>
  lines.map((line) => (as === 'del' ? html`<p>Before: <del>${line}</del></p>` : html`<p>Now: <ins>${line}</ins></p>`))

/** The changes of the terms, and the form again with all that was typed: only the agreement is given anew. */
export const agreeAgain = ({ fields, agreement, changes }: Again) => html`${changes.map(
  ({ part, removed, added }) =>
    html`<h2>${part}</h2>
${changedLines(removed, 'del')}${changedLines(added, 'ins')}`,
)}
<form method="post" action="/api/leads">
${Object.entries(fields)
  .filter(([name]) => name !== 'agreedToTerms')
  .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><label><input type="checkbox" name="agreedToTerms" required> ${agreement}</label></p>
<button>Sign the contract</button>
</form>`

const listed = (messages: string[]) =>
  messages.length === 1
    ? html`<p>${messages[0]}</p>`
    : html`<ul>
${messages.map((message) => html`<li>${message}</li>`)}
</ul>`

/**
 * A page for people whose request was refused on a page without script: the problem and what to do. It looks like the
 * product's own pages and needs none of their files but the mark and the horizon.
 */
export const errorPage = ({ agency, title, messages, advice }: Refusal) => html`<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${agency}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>
* { box-sizing: border-box; }
body { display: flex; flex-direction: column; min-height: 100vh; margin: 0; background: linear-gradient(#fbf8f2 45%, #fdeedb); color: #16181f; font: 1rem/1.6 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif; }
header { padding: 0.75rem 1.5rem; background: #fff; border-bottom: 1px solid #ded7c8; }
header a { display: inline-flex; align-items: center; gap: 0.625rem; min-height: 2.5rem; color: inherit; font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
main { flex: 1; width: 100%; max-width: 36rem; margin: clamp(1.5rem, 8vh, 5rem) auto; padding: 0 1.5rem; }
section { padding: clamp(1.5rem, 5vw, 2.25rem); background: #fff; border: 1px solid #ded7c8; border-radius: 0.625rem; box-shadow: 0 1px 2px rgb(40 34 20 / 6%), 0 8px 24px -12px rgb(40 34 20 / 18%); }
h1 { margin: 0 0 0.75rem; font: 700 1.75rem/1.15 Georgia, serif; letter-spacing: -0.02em; }
p, ul { margin: 0 0 1rem; text-wrap: pretty; overflow-wrap: anywhere; }
ul { padding-left: 1.25rem; }
.advice { margin: 0; padding-top: 1rem; border-top: 1px solid #ded7c8; color: #50525c; }
h2 { margin: 0 0 0.25rem; color: #16181f; font-size: 1rem; }
input { width: 1.25rem; height: 1.25rem; vertical-align: -0.25rem; }
button { min-height: 2.75rem; padding: 0.5rem 1.25rem; color: #fff; font: inherit; font-weight: 600; background: #2136c4; border: 0; border-radius: 0.375rem; }
main a { color: #2136c4; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
.horizon { display: block; width: 100%; height: auto; }
:focus-visible { outline: 3px solid #2136c4; outline-offset: 2px; border-radius: 2px; }
</style>
</head>
<body>
<header><a href="/"><img src="/favicon.svg" alt="" width="32" height="32">${agency}</a></header>
<main>
<section>
<h1>${title}</h1>
${listed(messages)}
<div class="advice">${advice}</div>
</section>
</main>
<img class="horizon" src="/horizon.svg" alt="">
</body>
</html>
`
