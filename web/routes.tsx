import type { RouteObject } from 'react-router'

/** What the head of a public page says; the agency's name is added to the title. */
export type PageHead = { title: string; description: string; indexed: boolean }

/** The pages that anyone may read: rendered to HTML at build. `*` becomes the page for unknown addresses. */
export const publicRoutes: RouteObject[] = [
  {
    path: '/',
    handle: {
      title: 'Websites for small businesses',
      description: 'A website for your small business from R999, live in 2-14 days, anywhere in South Africa.',
      indexed: true,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/home/home.tsx')).Home }),
  },
  {
    path: '/thanks',
    handle: {
      title: 'Thank you',
      description: 'We have your request. This is what happens next.',
      indexed: false,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/thanks/thanks.tsx')).Thanks }),
  },
  {
    path: '*',
    handle: {
      title: '404 Page Not Found',
      description: 'There is no page at this address.',
      indexed: false,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/not-found/not-found.tsx')).NotFound }),
  },
]

// Nothing shows while the code of the first screen loads: it is there in a moment.
const nothing = () => null

/** The staff's screens: one single-page app, whose shell every one of these addresses answers. */
export const staffRoutes: RouteObject[] = [
  {
    path: '/login',
    HydrateFallback: nothing,
    lazy: async () => ({ Component: (await import('./routes/login/login.tsx')).Login }),
  },
  {
    HydrateFallback: nothing,
    lazy: async () => ({ Component: (await import('./staff/frame.tsx')).Frame }),
    children: [
      {
        path: '/admin-dashboard',
        lazy: async () => ({ Component: (await import('./routes/admin-dashboard/dashboard.tsx')).Dashboard }),
      },
      {
        path: '/admin-submissions',
        lazy: async () => ({ Component: (await import('./routes/admin-submissions/submissions.tsx')).Submissions }),
      },
      {
        path: '/admin-chat',
        lazy: async () => ({ Component: (await import('./routes/admin-chat/console.tsx')).Console }),
      },
    ],
  },
]

/** Every path of a table of routes, in its order. */
export const pathsOf = (routes: RouteObject[]): string[] =>
  routes.flatMap((route) => [...(route.path ? [route.path] : []), ...pathsOf(route.children ?? [])])
