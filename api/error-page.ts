import { html } from 'hono/html'

/** What a refused form tells a person whose page has no script. */
type Refusal = { title: string; messages: string[] }

/** A page for whoever posted a form without script and was refused: what is wrong, and the way back to what was typed. */
export const errorPage = ({ title, messages }: Refusal) => html`<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { margin: 0; background: #faf7ef; color: #15171e; font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 4rem 1.5rem; }
h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -0.02em; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<ul>
${messages.map((message) => html`<li>${message}</li>`)}
</ul>
<p>Nothing was sent. Use your browser's Back button: what you typed is still there.</p>
</main>
</body>
</html>
`
