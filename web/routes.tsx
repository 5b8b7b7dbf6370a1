import type { RouteObject } from 'react-router'
import { inRand } from '../events/base/amount.ts'
import type { Package } from '../events/settings/packages.ts'
import type { PackageId } from '../events/settings/prices.ts'
import { SETTINGS_PATH, SETTINGS_SECTIONS, sectionPath } from './staff/settings/section-titles.ts'

/** The title and description of a public page; the agency's name is added to the title. */
export type PageHead = { title: string; description: string; indexed: boolean }

/** The head of a page as its route has it: a text may depend on the packages. */
export type PublicHandle = Omit<PageHead, 'title' | 'description'> &
  Record<'title' | 'description', string | ((packages: readonly Package[]) => string)>

export const headOf = ({ title, description, indexed }: PublicHandle, packages: readonly Package[]): PageHead => {
  const textOf = (text: PublicHandle['title']) => (typeof text === 'string' ? text : text(packages))
  return { title: textOf(title), description: textOf(description), indexed }
}

/** Describes a package by its price at the start and its fees. */
type Describe = (price: string, fees: string) => string

/* @__NO_SIDE_EFFECTS__ */
const contractRoute = (id: PackageId, describe: Describe): RouteObject => {
  const of = (text: (sold: Package) => string) => (packages: readonly Package[]) =>
    packages.flatMap((sold) => (sold.id === id ? [text(sold)] : [])).join('')
  return {
    path: `/contract/${id}`,
    handle: {
      title: of(({ name }) => `${name} website package`),
      description: of(({ once, monthly }) =>
        describe(inRand(once), monthly === null ? 'once-off' : `setup and ${inRand(monthly)}/month`),
      ),
      indexed: true,
    } satisfies PublicHandle,
    lazy: async () => {
      const { Contract } = await import('./routes/contract/contract.tsx')
      return { element: <Contract packageId={id} /> }
    },
  }
}

/**
 * The pages that anyone may read: rendered to HTML at build. `*` becomes the page for unknown addresses. As a pure call
 * it is left out of the staff's scripts.
 */
export const publicRoutes: RouteObject[] = /* @__PURE__ */ (() => [
  {
    path: '/',
    handle: {
      title: 'Websites for small businesses',
      description: ([first]) =>
        `A website for your small business from ${inRand(first?.once ?? 0)}, live in 2–14 days, anywhere in South Africa.`,
      indexed: true,
    } satisfies PublicHandle,
    lazy: async () => ({ Component: (await import('./routes/home/home.tsx')).Home }),
  },
  contractRoute(
    'essential',
    (price, fees) =>
      `A 3-page website for ${price} ${fees}${fees === 'once-off' ? ', with no monthly fees' : ''}, in 7 business days. Terms, timeline and contract form.`,
  ),
  contractRoute(
    'professional',
    (price, fees) =>
      `Up to 5 pages with domain, hosting and email for ${price} ${fees}, live in 14 days. Terms and form.`,
  ),
  contractRoute(
    'premium',
    (price, fees) => `Up to 10 pages with blog, reports and same-day support for ${price} ${fees}, live in 14 days.`,
  ),
  {
    path: '/contract/verify',
    handle: {
      title: 'Check a contract',
      description: 'Shows whether a signed contract and its copy are the ones in our log.',
      indexed: false,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/contract-verify/verify.tsx')).Verify }),
  },
  {
    path: '/thanks',
    handle: {
      title: 'Thank you',
      description: 'What happens after you send us a request, and when.',
      indexed: false,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/thanks/thanks.tsx')).Thanks }),
  },
  {
    path: '/yourwebsiteproject',
    handle: {
      title: 'Your website project',
      description: 'What a website project with us includes: design, mobile pages, SEO, domain, hosting and email.',
      indexed: true,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/project/project.tsx')).Project }),
  },
  {
    path: '/yourwebsiteinfo',
    handle: {
      title: 'Website information',
      description:
        'Tell us about your business and the website you want, in six short sections. We respond within 24 hours.',
      indexed: true,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/website-info/website-info.tsx')).WebsiteInfoPage }),
  },
  {
    path: '/privacy',
    handle: {
      title: 'Privacy',
      description: 'What we collect on this website, why, and your rights.',
      indexed: true,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/privacy/privacy.tsx')).Privacy }),
  },
  {
    path: '/test-form',
    handle: {
      title: 'Email activation',
      description: 'Sends a test submission so that the email service verifies the agency’s inbox.',
      indexed: false,
    } satisfies PageHead,
    lazy: async () => ({ Component: (await import('./routes/test-form/test-form.tsx')).TestForm }),
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
])()

// Nothing shows while the code of the first screen loads: it is there in a moment.
const nothing = () => null

const loadTwoFactor = async () => ({
  default: (await import('./routes/admin-account/two-factor.tsx')).TwoFactorSection,
})

/** The staff's screens: one single-page app, whose shell every one of these addresses answers. */
export const staffRoutes: RouteObject[] = [
  {
    path: '/login',
    HydrateFallback: nothing,
    lazy: async () => ({ Component: (await import('./routes/login/login.tsx')).Login }),
  },
  {
    HydrateFallback: nothing,
    lazy: async () => {
      const { Frame } = await import('./staff/shell/frame.tsx')
      return {
        element: <Frame loadTwoFactor={loadTwoFactor} />,
        ErrorBoundary: (await import('./staff/shell/broken-screen.tsx')).BrokenScreen,
      }
    },
    children: [
      {
        path: '/admin-today',
        lazy: async () => ({ Component: (await import('./routes/admin-today/today.tsx')).TodayScreen }),
      },
      {
        path: '/admin-dashboard',
        lazy: async () => ({ Component: (await import('./routes/admin-dashboard/dashboard.tsx')).Dashboard }),
      },
      {
        path: '/admin-lead',
        lazy: async () => ({ Component: (await import('./routes/admin-lead/lead-page.tsx')).LeadPage }),
      },
      {
        path: '/admin-import',
        lazy: async () => ({ Component: (await import('./routes/admin-import/import.tsx')).ImportScreen }),
      },
      {
        path: '/admin-submissions',
        lazy: async () => ({ Component: (await import('./routes/admin-submissions/submissions.tsx')).Submissions }),
      },
      {
        path: '/admin-pipeline',
        lazy: async () => ({ Component: (await import('./routes/admin-dashboard/board/board.tsx')).Board }),
      },
      {
        path: '/admin-overview',
        lazy: async () => ({ Component: (await import('./routes/admin-overview/overview.tsx')).Overview }),
      },
      {
        path: '/admin-chat',
        lazy: async () => ({ Component: (await import('./routes/admin-chat/console.tsx')).Console }),
      },
      {
        path: '/admin-email',
        lazy: async () => ({ Component: (await import('./routes/admin-email/email-list.tsx')).EmailList }),
      },
      {
        path: '/admin-contracts',
        lazy: async () => ({ Component: (await import('./routes/admin-contracts/contracts.tsx')).ContractsScreen }),
      },
      {
        path: '/admin-privacy',
        lazy: async () => ({ Component: (await import('./routes/admin-privacy/privacy.tsx')).PrivacyScreen }),
      },
      ...[SETTINGS_PATH, ...SETTINGS_SECTIONS.map(({ id }) => sectionPath(id))].map((path) => ({
        path,
        lazy: async () => ({ Component: (await import('./routes/admin-settings/settings.tsx')).SettingsScreen }),
      })),
      {
        path: '/admin-api',
        lazy: async () => ({ Component: (await import('./routes/admin-api/api.tsx')).ApiScreen }),
      },
      {
        path: '/admin-webhooks',
        lazy: async () => ({
          Component: (await import('./routes/admin-webhooks/webhook-deliveries.tsx')).WebhookDeliveries,
        }),
      },
      {
        path: '/admin-account',
        lazy: async () => ({ Component: (await import('./routes/admin-account/account.tsx')).AccountScreen }),
      },
      {
        path: '/admin-account-history',
        lazy: async () => ({
          Component: (await import('./routes/admin-account-history/account-history.tsx')).AccountHistory,
        }),
      },
    ],
  },
]

export const pathsOf = (routes: RouteObject[]): string[] =>
  routes.flatMap((route) => [...(route.path ? [route.path] : []), ...pathsOf(route.children ?? [])])
